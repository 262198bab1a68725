import { sql } from 'drizzle-orm'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { type Db, rows } from '#server/platform/database/db.ts'

export interface UndoableAct extends Record<string, unknown> {
  /** Of the row of the log. */
  id: number
  resourceId: number
  details: Record<string, unknown>
  personal: Record<string, unknown>
}

/**
 * The acts of one kind of the last day that were not undone, the newest first; without those of which the
 * values were erased. What undoes one records its id as `undoneId`.
 */
export const listUndoable = (db: Db, action: AuditAction, undoneBy: AuditAction): Promise<UndoableAct[]> =>
  rows(
    db,
    sql`select l.id, l.resource_id::int as "resourceId", l.details, p.values as personal
          from audit_logs l join audit_personal p on p.log_id = l.id and p.values is not null
         where l.action = ${action} and l.created_at > app_now() - interval '1 day'
           and not exists (
             select from audit_logs u
              where u.action = ${undoneBy} and u.created_at >= l.created_at
                and u.resource_id = l.resource_id and (u.details ->> 'undoneId')::int = l.id)
         order by l.id desc`,
  )
