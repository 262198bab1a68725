import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { fold } from '#shared/text/fold.ts'
import { type NewReason, type ReasonChange, reasonLimits } from '#shared/reasons/managed-reasons.ts'
import { pathSign } from '#shared/reasons/reasons.ts'
import { record } from '#server/audit/audit.ts'
import { differences } from '#server/platform/database/changes.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { finishReasons } from '#server/schema/conversations/finish-reasons.ts'
import { shareSector } from '#server/sectors/sectors.ts'
import { listReasonRows, lockReason, type ReasonRow } from './queries.ts'

// Whoever changes reasons does so one after another, and locks their rows in the order of the ids, as whoever
// ends a conversation does.

/** @throws AppError 409 for a name that another one has, 422 for a parent of the second level */
export async function addReason(db: Tx, who: Who, form: NewReason): Promise<number> {
  const { name, sectorId = null, parentId = null } = form
  if (sectorId !== null) await expectSector(db, sectorId)
  await lockName(db, 'finish_reasons')
  const parent = parentId === null ? undefined : await lockReason(db, parentId)
  await confirmRights(who, db)
  if (parentId !== null && !parent) throw new AppError('reasons.unknown')
  if (parent?.parentId != null) throw new AppError('reasons.too_deep')
  if (parent && sectorId !== null) throw new AppError('reasons.sector_of_first')
  const path = pathWith(parent, name)
  const all = await listReasonRows(db)
  expectFreePath(all, path)
  if (all.length >= reasonLimits.reasons)
    throw new AppError('reasons.too_many', { values: { most: String(reasonLimits.reasons) } })
  const place = Math.max(0, ...all.filter((row) => row.parentId === parentId).map((row) => row.place)) + 1
  const [made] = await db
    .insert(finishReasons)
    .values({ name, parentId, path, sectorId, place })
    .returning({ id: finishReasons.id })
  if (!made) throw new Error('reason not written')
  await record(db, who, { action: 'reason.create', resourceId: made.id, details: { name: path } })
  db.emit({ type: 'reasons_changed' })
  return made.id
}

/**
 * Changes the given fields of a reason; those within it have its new name before theirs.
 * @throws AppError 404, 409 when somebody has changed it after the version or another one has the name, 422
 *   for a sector that does not exist, or of one that is within another
 */
export async function changeReason(
  db: Tx,
  who: Who,
  id: number,
  { version, name, sectorId, isActive }: ReasonChange,
): Promise<void> {
  // A sector is locked before reasons, as where it is deleted.
  if (sectorId != null) await expectSector(db, sectorId)
  await lockName(db, 'finish_reasons')
  const all = await lockAll(db)
  await confirmRights(who, db)
  const before = all.find((row) => row.id === id)
  if (!before) throw new AppError('reasons.not_found')
  if (version !== undefined && version !== before.version) throw new AppError('reasons.changed')
  if (before.parentId !== null && sectorId != null) throw new AppError('reasons.sector_of_first')
  const values = differences(before, {
    ...(name !== undefined && { name }),
    ...(sectorId !== undefined && { sectorId }),
    ...(isActive !== undefined && { isActive }),
  })
  const fields = (['name', 'sectorId', 'isActive'] as const).filter((field) => field in values)
  if (fields.length === 0) return
  const parent = all.find((row) => row.id === before.parentId)
  const path = pathWith(parent, values.name ?? before.name)
  if (values.name !== undefined)
    expectFreePath(
      all.filter((row) => row.id !== id),
      path,
    )
  await db
    .update(finishReasons)
    .set({ ...values, path, version: sql`${finishReasons.version} + 1` })
    .where(eq(finishReasons.id, id))
  if (values.name !== undefined)
    await db
      .update(finishReasons)
      .set({ path: sql`${path + pathSign} || ${finishReasons.name}` })
      .where(eq(finishReasons.parentId, id))
  const changes = Object.fromEntries(fields.map((field) => [field, [before[field], values[field]] as const]))
  await record(db, who, { action: 'reason.change', resourceId: id, details: { name: path, changes } })
  db.emit({ type: 'reasons_changed' })
}

/** @throws AppError 409 when there are others */
export async function setOrder(
  db: Tx,
  who: Who,
  { parentId, ids }: { parentId: number | null; ids: readonly number[] },
): Promise<void> {
  await lockName(db, 'finish_reasons')
  const all = await lockAll(db)
  await confirmRights(who, db)
  const level = all.filter((row) => row.parentId === parentId)
  if (!isDeepStrictEqual(sorted(ids), sorted(level.map(({ id }) => id))))
    throw new AppError('reasons.order_changed')
  const inOrder = level.toSorted((a, b) => a.place - b.place || a.id - b.id)
  if (inOrder.every(({ id }, index) => ids[index] === id)) return
  await db.execute(
    sql`update finish_reasons r set place = o.place
          from unnest(${sql.param(ids)}::int[]) with ordinality o(id, place)
         where r.id = o.id and r.place <> o.place`,
  )
  await record(db, who, { action: 'reason.order', details: { parentId, ids: [...ids] } })
  db.emit({ type: 'reasons_changed' })
}

/** @throws AppError 404, 409 for one that was used, or has others within it */
export async function removeReason(db: Tx, who: Who, id: number): Promise<void> {
  await lockName(db, 'finish_reasons')
  const row = await lockReason(db, id)
  await confirmRights(who, db)
  if (!row) throw new AppError('reasons.not_found')
  const values = { name: row.path }
  const [found] = await rows<{ hasOthers: boolean; isUsed: boolean }>(
    db,
    sql`select exists (select from finish_reasons r where r.parent_id = ${id}) as "hasOthers",
               exists (select from conversations v where v.finish_reason_id = ${id}) as "isUsed"`,
  )
  if (found?.isUsed) throw new AppError('reasons.used', { values })
  if (found?.hasOthers) throw new AppError('reasons.has_others', { values })
  await db.delete(finishReasons).where(eq(finishReasons.id, id))
  await record(db, who, { action: 'reason.delete', resourceId: id, details: values })
  db.emit({ type: 'reasons_changed' })
}

/** Switches off the reasons of a sector that is being deleted: they keep their names for what has ended. */
export async function leaveReasonsOf(db: Tx, sectorId: number): Promise<void> {
  await lockName(db, 'finish_reasons')
  const all = await lockAll(db)
  const active = all.filter((row) => row.sectorId === sectorId && row.isActive)
  if (active.length === 0) return
  await db.execute(
    sql`update finish_reasons set is_active = false, version = version + 1
         where sector_id = ${sectorId} and is_active`,
  )
  db.emit({ type: 'reasons_changed' })
}

async function lockAll(db: Db): Promise<ReasonRow[]> {
  return db.select().from(finishReasons).orderBy(finishReasons.id).for('update')
}

const pathWith = (parent: Pick<ReasonRow, 'name'> | undefined, name: string) =>
  parent ? parent.name + pathSign + name : name

function expectFreePath(others: readonly ReasonRow[], path: string): void {
  const other = others.find(({ pathFolded }) => pathFolded === fold(path))
  if (!other) return
  throw new AppError(other.isActive ? 'reasons.duplicate' : 'reasons.duplicate_inactive', {
    values: { name: other.path },
  })
}

async function expectSector(db: Db, sectorId: number): Promise<void> {
  if (!(await shareSector(db, sectorId))) throw new AppError('sectors.unknown')
}

const sorted = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)
