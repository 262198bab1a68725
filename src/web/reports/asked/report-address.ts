import type { SavedFilter } from '#shared/reports/saved-reports.ts'
import type { Restriction, Subject } from './use-report.ts'

/** The address of a report, for links. */
export function reportAddress(subject: Subject, restriction: Restriction = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...subject, ...restriction }))
    if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '/reports' : `/reports?${text}`
}

export const savedAddress = ({ figure, ...subject }: SavedFilter): string =>
  reportAddress(subject as Subject, figure === undefined ? {} : { figure })
