import { sql } from 'drizzle-orm'
import type { AuditResource } from '#shared/audit/audit-actions.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
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
  const erased = found.map(({ id }) => id)
  await eraseRows(db, by, erased, { resourceType: whose.resourceType, resourceId })
  return erased.length
}

const isPast = (days: number) =>
  sql`p.values is not null and l.created_at < app_now() - ${days} * interval '1 day'`

/** How many rows are older than so many days, and still have personal values. */
export async function countPastInAudit(db: Db, days: number): Promise<number> {
  const [row] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from audit_personal p join audit_logs l on l.id = p.log_id
         where ${isPast(days)}`,
  )
  return row?.count ?? 0
}

/** The same for rows older than so many days, `limit` of them. @returns how many lost their values */
export async function erasePastFromAudit(db: Tx, days: number, limit: number): Promise<number> {
  const found = await rows<{ id: number }>(
    db,
    sql`select p.log_id as id from audit_personal p join audit_logs l on l.id = p.log_id
         where ${isPast(days)} order by p.log_id limit ${limit} for update of p`,
  )
  const erased = found.map(({ id }) => id)
  await eraseRows(db, 'system', erased, { resourceType: 'audit', resourceId: 'period' })
  return erased.length
}

async function eraseRows(
  db: Tx,
  by: Actor,
  erased: readonly number[],
  whose: { resourceType: AuditResource; resourceId: string },
): Promise<void> {
  if (erased.length === 0) return
  const erasure = await record(db, by, { action: 'audit.erase', details: { ...whose, rows: [...erased] } })
  await db.execute(
    sql`update audit_personal set salt = null, values = null, erased_by = ${erasure}
         where log_id = any(${sql.param(erased)}::int[])`,
  )
}
