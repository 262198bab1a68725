import { createHash } from 'node:crypto'
import { asc, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { SlaTarget } from '#shared/sla/sla.ts'
import { record } from '#server/audit/audit.ts'
import { type Db, pgCode, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { slaTargets } from '#server/schema/sla/sla.ts'

/** All targets, with a version that changes with each change of them. */
export async function listTargets(db: Db): Promise<{ targets: SlaTarget[]; version: string }> {
  const { sectorId, categoryId, replyMinutes, endMinutes } = slaTargets
  const targets = await db
    .select({ sectorId, categoryId, replyMinutes, endMinutes })
    .from(slaTargets)
    // A deleted sector takes no conversations any more.
    .where(
      sql`not exists (select from sectors z
                       where z.id = ${slaTargets.sectorId} and z.deleted_at is not null)`,
    )
    .orderBy(asc(slaTargets.id))
  const version = createHash('sha256').update(JSON.stringify(targets)).digest('hex').slice(0, 16)
  return { targets, version }
}

/**
 * Puts these targets in place of all others.
 * @param version that the caller has; undefined: any
 * @throws AppError 409 when they are others than of the version, 422 for a sector or category that is gone
 */
export async function setTargets(
  db: Tx,
  who: Who,
  targets: readonly SlaTarget[],
  version: string | undefined,
): Promise<void> {
  await lockName(db, 'sla-targets')
  await confirmRights(who, db)
  const before = await listTargets(db)
  if (version !== undefined && version !== before.version) throw new AppError('sla.changed')
  if (JSON.stringify(before.targets) === JSON.stringify(targets)) return
  await db.delete(slaTargets)
  if (targets.length > 0)
    await db
      .insert(slaTargets)
      .values([...targets])
      .catch((error: unknown) => {
        throw pgCode(error) === '23503' ? new AppError('sla.unknown') : error
      })
  // One of a deleted sector would be kept and never shown.
  if ((await listTargets(db)).targets.length !== targets.length) throw new AppError('sla.unknown')
  const listed = (all: readonly SlaTarget[]) =>
    all.map((one) => [one.sectorId, one.categoryId, one.replyMinutes, one.endMinutes])
  await record(db, who, {
    action: 'sla.change',
    details: { count: targets.length, before: listed(before.targets), after: listed(targets) },
  })
  db.emit({ type: 'sla_changed' })
}
