import { sql } from 'drizzle-orm'
import type { AuditResource } from '#shared/audit/audit-actions.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { type Actor, record } from './record.ts'

/**
 * Erases the personal values of all rows about a person, in the open transaction, and records that. The rows
 * stay, and so does the chain: it covers a salted hash of the values.
 * @returns how many rows lost their values
 */
export async function eraseFromAudit(
  db: Tx,
  by: Actor,
  whose: { resourceType: AuditResource; resourceId: number },
): Promise<number> {
  const resourceId = String(whose.resourceId)
  const found = await rows<{ id: number }>(
    db,
    sql`select p.log_id as id from audit_personal p join audit_logs l on l.id = p.log_id
         where l.resource_type = ${whose.resourceType} and l.resource_id = ${resourceId}
           and p.values is not null order by p.log_id for update of p`,
  )
  if (found.length === 0) return 0
  const erased = found.map(({ id }) => id)
  const details = { resourceType: whose.resourceType, resourceId, rows: erased }
  const erasure = await record(db, by, { action: 'audit.erase', details })
  await db.execute(
    sql`update audit_personal set salt = null, values = null, erased_by = ${erasure}
         where log_id = any(${sql.param(erased)}::int[])`,
  )
  return erased.length
}
