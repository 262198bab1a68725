import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type NewTag, type TagChange, tagLimits } from '#shared/tags/managed-tags.ts'
import { fold } from '#shared/text/fold.ts'
import { record } from '#server/audit/audit.ts'
import { differences } from '#server/platform/database/changes.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, isPermitted, type Who } from '#server/platform/http/access.ts'
import { conversationTags } from '#server/schema/tags/conversation-tags.ts'
import { shareSector } from '#server/sectors/sectors.ts'
import { listTagRows, lockTag, type TagRow } from './queries.ts'

// Whoever changes tags does so one after another; a sector is locked before tags, as where it is deleted.

/** Whether the person changes the tags of the sector (null: those of all). */
export const mayChange = (who: Who, sectorId: number | null): boolean =>
  isPermitted(who, { act: 'manageAllTags' }) ||
  who.sectors.some(({ id, isLead }) => isLead && id === sectorId)

function expectMayChange(who: Who, sectorId: number | null): void {
  if (!mayChange(who, sectorId)) throw new AppError('tags.not_yours')
}

/** @throws AppError 403 of a sector that the person does not lead, 409 for a name that another one has */
export async function addTag(db: Tx, who: Who, { name, color, sectorId }: NewTag): Promise<number> {
  if (sectorId !== null) await expectSector(db, sectorId)
  await lockName(db, 'conversation_tags')
  await confirmRights(who, db)
  expectMayChange(who, sectorId)
  const all = await listTagRows(db)
  expectFreeName(all, name)
  if (all.length >= tagLimits.tags)
    throw new AppError('tags.too_many', { values: { most: String(tagLimits.tags) } })
  const place = Math.max(0, ...all.map((row) => row.place)) + 1
  const [made] = await db
    .insert(conversationTags)
    .values({ name, color, sectorId, place })
    .returning({ id: conversationTags.id })
  if (!made) throw new Error('tag not written')
  await record(db, who, { action: 'tag.create', resourceId: made.id, details: { name } })
  db.emit({ type: 'tags_changed' })
  return made.id
}

/**
 * Changes the given fields of a tag.
 * @throws AppError 403 as `addTag`, 404, 409 when somebody has changed it since or another one has the name,
 *   422 for a sector that does not exist
 */
export async function changeTag(db: Tx, who: Who, id: number, change: TagChange): Promise<void> {
  const { version, ...wanted } = change
  if (wanted.sectorId != null) await expectSector(db, wanted.sectorId)
  await lockName(db, 'conversation_tags')
  const before = await lockTag(db, id)
  await confirmRights(who, db)
  if (!before) throw new AppError('tags.not_found')
  expectMayChange(who, before.sectorId)
  if (wanted.sectorId !== undefined) expectMayChange(who, wanted.sectorId)
  if (version !== undefined && version !== before.version) throw new AppError('tags.changed')
  const values = differences<Omit<TagChange, 'version'>>(before, wanted)
  const fields = (['name', 'color', 'sectorId', 'isActive'] as const).filter((field) => field in values)
  if (fields.length === 0) return
  if (values.name !== undefined)
    expectFreeName(
      (await listTagRows(db)).filter((row) => row.id !== id),
      values.name,
    )
  await db
    .update(conversationTags)
    .set({ ...values, version: sql`${conversationTags.version} + 1` })
    .where(eq(conversationTags.id, id))
  const changes = Object.fromEntries(fields.map((field) => [field, [before[field], values[field]] as const]))
  await record(db, who, {
    action: 'tag.change',
    resourceId: id,
    details: { name: values.name ?? before.name, changes },
  })
  db.emit({ type: 'tags_changed' })
}

/** @throws AppError 409 when there are others */
export async function setOrder(db: Tx, who: Who, ids: readonly number[]): Promise<void> {
  await lockName(db, 'conversation_tags')
  const all = await listTagRows(db)
  await confirmRights(who, db)
  const known = all.map(({ id }) => id)
  if (!isDeepStrictEqual(sorted(ids), sorted(known))) throw new AppError('tags.order_changed')
  if (isDeepStrictEqual(ids, known)) return
  await db.execute(
    sql`update conversation_tags t set place = o.place
          from unnest(${sql.param(ids)}::int[]) with ordinality o(id, place)
         where t.id = o.id and t.place <> o.place`,
  )
  await record(db, who, { action: 'tag.order', details: { ids: [...ids] } })
  db.emit({ type: 'tags_changed' })
}

/** @throws AppError 403 as `addTag`, 404, 409 for one that a conversation has */
export async function removeTag(db: Tx, who: Who, id: number): Promise<void> {
  await lockName(db, 'conversation_tags')
  const row = await lockTag(db, id)
  await confirmRights(who, db)
  if (!row) throw new AppError('tags.not_found')
  expectMayChange(who, row.sectorId)
  const used = await rows(db, sql`select from conversations v where v.tag_ids @> array[${id}::int] limit 1`)
  const values = { name: row.name }
  if (used.length > 0) throw new AppError('tags.used', { values })
  await db.delete(conversationTags).where(eq(conversationTags.id, id))
  await record(db, who, { action: 'tag.delete', resourceId: id, details: values })
  db.emit({ type: 'tags_changed' })
}

/** Switches off the tags of a sector that is being deleted: they keep their names for what has them. */
export async function leaveTagsOf(db: Tx, sectorId: number): Promise<void> {
  await lockName(db, 'conversation_tags')
  const changed = await db.execute(
    sql`update conversation_tags set is_active = false, version = version + 1
         where sector_id = ${sectorId} and is_active`,
  )
  if ((changed.rowCount ?? 0) > 0) db.emit({ type: 'tags_changed' })
}

function expectFreeName(others: readonly TagRow[], name: string): void {
  const other = others.find(({ nameFolded }) => nameFolded === fold(name))
  if (!other) return
  throw new AppError(other.isActive ? 'tags.duplicate' : 'tags.duplicate_inactive', {
    values: { name: other.name },
  })
}

async function expectSector(db: Db, sectorId: number): Promise<void> {
  if (!(await shareSector(db, sectorId))) throw new AppError('sectors.unknown')
}

const sorted = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)
