import type { AuditLog } from './audit-logs.ts'

export interface ChangedField {
  field: string
  before: unknown
  after: unknown
}

/** What an act changed, with the personal values first; nothing of what was erased. */
export function changesIn({ details, personal }: Pick<AuditLog, 'details' | 'personal'>): ChangedField[] {
  return [personal['changes'], details['changes']].flatMap((changes) =>
    typeof changes === 'object' && changes !== null
      ? Object.entries(changes).flatMap(([field, change]: [string, unknown]) =>
          Array.isArray(change) ? [{ field, before: change[0], after: change[1] }] : [],
        )
      : [],
  )
}
