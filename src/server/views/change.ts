import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { fold } from '#shared/text/fold.ts'
import { type NewView, type ViewChange, viewLimits } from '#shared/views/managed-views.ts'
import { record } from '#server/audit/audit.ts'
import { differences } from '#server/platform/database/changes.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, isPermitted, type Who } from '#server/platform/http/access.ts'
import { savedViews, viewOrders } from '#server/schema/views/saved-views.ts'
import { shareSector } from '#server/sectors/sectors.ts'
import { listBeside, lockSeen, type ViewRow } from './queries.ts'

type Sharing = Pick<ViewRow, 'isShared' | 'sectorId'>

/** Whether the person may share a view so: with everybody, or with the people of a sector that they lead. */
function mayShare(who: Who, { isShared, sectorId }: Sharing): boolean {
  if (!isShared || isPermitted(who, { act: 'shareViewsWithAll' })) return true
  return who.sectors.some(({ id, isLead }) => isLead && id === sectorId)
}

/** Whether the person changes and deletes a view: their own, and what is shared with whom they may share. */
export const mayChange = (who: Who, row: Sharing & Pick<ViewRow, 'ownerId'>): boolean =>
  row.ownerId === who.id || (row.isShared && mayShare(who, row))

/** @throws AppError 403 for sharing with others than one may, 409 for a name that is taken or one too many */
export async function addView(db: Tx, who: Who, { content, ...form }: NewView): Promise<number> {
  const sharing = await sharingOf(db, form)
  await lockName(db, 'saved_views')
  await confirmRights(who, db)
  if (!mayShare(who, sharing)) throw new AppError('views.may_not_share')
  const row = { ...sharing, ownerId: who.id, name: form.name }
  const others = await listBeside(db, row)
  expectFreeName(others, form.name)
  const most = sharing.isShared ? viewLimits.shared : viewLimits.own
  if (others.length >= most) throw new AppError('views.too_many', { values: { most: String(most) } })
  const [made] = await db
    .insert(savedViews)
    .values({ ...row, content })
    .returning({ id: savedViews.id })
  if (!made) throw new Error('view not written')
  await record(db, who, {
    action: 'view.create',
    resourceId: made.id,
    details: { name: form.name, isShared: sharing.isShared },
  })
  db.emit({ type: 'views_changed' })
  return made.id
}

/**
 * Changes the given fields of a view.
 * @throws AppError 403 as `addView`, or of somebody else, 404, 409 also when somebody has changed it since
 */
export async function changeView(db: Tx, who: Who, id: number, change: ViewChange): Promise<void> {
  const { version, ...wanted } = change
  if (wanted.sectorId != null) await expectSector(db, wanted.sectorId)
  await lockName(db, 'saved_views')
  const before = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!before) throw new AppError('views.not_found')
  if (!mayChange(who, before)) throw new AppError('views.not_yours')
  if (version !== undefined && version !== before.version) throw new AppError('views.changed')
  const isShared = wanted.isShared ?? before.isShared
  const after = {
    ...before,
    ...wanted,
    sectorId: isShared ? (wanted.sectorId === undefined ? before.sectorId : wanted.sectorId) : null,
  }
  const values = differences<Omit<ViewChange, 'version'>>(before, {
    name: after.name,
    content: after.content,
    isShared,
    sectorId: after.sectorId,
  })
  const fields = (['name', 'isShared', 'sectorId', 'content'] as const).filter((field) => field in values)
  if (fields.length === 0) return
  if (!mayShare(who, after)) throw new AppError('views.may_not_share')
  if (values.name !== undefined || values.isShared !== undefined)
    expectFreeName(
      (await listBeside(db, after)).filter((row) => row.id !== id),
      after.name,
    )
  await db
    .update(savedViews)
    .set({ ...values, version: sql`${savedViews.version} + 1` })
    .where(eq(savedViews.id, id))
  const changes = Object.fromEntries(fields.map((field) => [field, [before[field], values[field]] as const]))
  await record(db, who, {
    action: 'view.change',
    resourceId: id,
    details: { name: after.name, changes },
  })
  db.emit({ type: 'views_changed' })
}

/** @throws AppError 403 of somebody else, 404 */
export async function removeView(db: Tx, who: Who, id: number): Promise<void> {
  const row = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!row) throw new AppError('views.not_found')
  if (!mayChange(who, row)) throw new AppError('views.not_yours')
  await db.delete(savedViews).where(eq(savedViews.id, id))
  await record(db, who, { action: 'view.delete', resourceId: id, details: { name: row.name } })
  db.emit({ type: 'views_changed' })
}

/** Says in which order the person has the views that they see. Ids that they do not see mean nothing. */
export async function setOrder(db: Db, who: Who, viewIds: number[]): Promise<void> {
  await db
    .insert(viewOrders)
    .values({ userId: who.id, viewIds })
    .onConflictDoUpdate({ target: viewOrders.userId, set: { viewIds } })
}

async function sharingOf(db: Db, { isShared, sectorId }: Sharing): Promise<Sharing> {
  if (!isShared) return { isShared, sectorId: null }
  if (sectorId !== null) await expectSector(db, sectorId)
  return { isShared, sectorId }
}

async function expectSector(db: Db, sectorId: number): Promise<void> {
  if (!(await shareSector(db, sectorId))) throw new AppError('sectors.unknown')
}

function expectFreeName(others: readonly ViewRow[], name: string): void {
  if (others.some(({ nameFolded }) => nameFolded === fold(name)))
    throw new AppError('views.duplicate', { values: { name } })
}
