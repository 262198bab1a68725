import { useQuery } from '@tanstack/react-query'
import { untilToday } from '#shared/reports/periods.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import type { Report } from '#web/reports/asked/use-report.ts'
import { daysText } from '#web/reports/asked/words.ts'
import { useNarrowedTo } from '#web/reports/filters/use-narrowed-to.ts'
import { settingsQueries } from '#web/settings/settings.tsx'
import { useMe } from '#web/users/users.tsx'

/** Every kind of narrowing, in the order of reading: a new one does not compile without its word. */
const kinds: Record<keyof ReturnType<typeof useNarrowedTo>, string> = {
  operator: 'operador',
  number: 'número',
  sector: 'setor',
  category: 'categoria',
  company: 'empresa',
  tag: 'etiqueta',
}

/** On paper: whose report it is, of what, and who has printed it when. */
export function PrintHeader({ report, dates }: { report: Report; dates: ZonedDates }) {
  const { companyName = '' } = useQuery(settingsQueries.system()).data ?? {}
  const me = useMe()
  const nowMs = useNow(60_000)
  const narrowedTo = useNarrowedTo(report.subject)
  const about = [
    companyName.trim(),
    daysText(untilToday(report.days, dates.day(nowMs))),
    report.isByClock ? 'no relógio' : 'no expediente',
    `impresso por ${me.name} em ${dates.dateTime(new Date(nowMs).toISOString())}`,
  ]
  const only = Object.entries(kinds).flatMap(([kind, what]) => {
    const name = narrowedTo[kind as keyof typeof kinds]
    return name === undefined ? [] : `${what} ${name}`
  })
  return (
    <div className="mb-3 hidden text-sm text-ink-2 tabular-nums print:block">
      <p>{about.filter((text) => text !== '').join(' · ')}</p>
      {only.length > 0 && <p>Só {only.join(', ')}</p>}
    </div>
  )
}
