import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { mostTagsOfOne, tagsFor } from '#shared/tags/tags.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { listTagRows, toTag } from './queries.ts'

export { leaveTagsOf } from './change.ts'

/** What becomes of a conversation's tags; `added` and `removed` by their names. */
export interface Tagging {
  tagIds: number[]
  added: string[]
  removed: string[]
}

/**
 * The tags of a conversation after some were put on and others taken off. What it has already, or has not, is
 * passed over. The tags that are put on are locked: whoever switches one off meanwhile waits.
 * @throws AppError 422 for one that does not exist, is inactive or of another sector, 409 for too many
 */
export async function retag(
  db: Db,
  conversation: { tagIds: readonly number[]; sectorId: number | null },
  { add = [], remove = [] }: { add?: readonly number[] | undefined; remove?: readonly number[] | undefined },
): Promise<Tagging> {
  const before = new Set(conversation.tagIds)
  const added = [...new Set(add)].filter((id) => !before.has(id) && !remove.includes(id))
  const removed = [...new Set(remove)].filter((id) => before.has(id))
  if (added.length > 0)
    await rows(
      db,
      sql`select from conversation_tags where id = any(${sql.param(added)}::int[]) order by id for share`,
    )
  const all = added.length + removed.length === 0 ? [] : await listTagRows(db)
  const names = new Map(all.map(({ id, name }) => [id, name]))
  const offered = new Set(tagsFor(all.map(toTag), conversation.sectorId).map(({ id }) => id))
  for (const id of added) {
    const tag = all.find((one) => one.id === id)
    if (!tag) throw new AppError('tags.unknown')
    if (offered.has(id)) continue
    throw new AppError(tag.isActive ? 'tags.other_sector' : 'tags.inactive', { values: { name: tag.name } })
  }
  const tagIds = [...conversation.tagIds.filter((id) => !removed.includes(id)), ...added]
  if (added.length > 0 && tagIds.length > mostTagsOfOne)
    throw new AppError('tags.too_many_on', { values: { most: String(mostTagsOfOne) } })
  const namesOf = (ids: readonly number[]) => ids.map((id) => names.get(id) ?? `etiqueta ${id}`)
  return { tagIds: tagIds.toSorted((a, b) => a - b), added: namesOf(added), removed: namesOf(removed) }
}

/**
 * Expects a conversation that ends to have a tag where one is required and there is one to put on.
 * @throws AppError 422
 */
export async function expectTagged(
  db: Db,
  {
    instanceId,
    sectorId,
    tagIds,
  }: { instanceId: number; sectorId: number | null; tagIds: readonly number[] },
): Promise<void> {
  if (tagIds.length > 0) return
  const { askTag } = await settingsOfNumber(db, instanceId, sectorId)
  if (askTag === 'required' && tagsFor((await listTagRows(db)).map(toTag), sectorId).length > 0)
    throw new AppError('tags.required')
}

/** Whether there is any tag: without, nothing of tags is told. */
export async function areTags(db: Db): Promise<boolean> {
  return (await rows(db, sql`select from conversation_tags limit 1`)).length > 0
}

/** The names of some tags in their order, as a value of a query. @param tagIds an int[] */
export const tagNames = (tagIds: SQL): SQL<string[]> =>
  sql`array(select t.name from conversation_tags t where t.id = any(${tagIds}) order by t.place, t.id)`
