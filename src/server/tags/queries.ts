import { asc, eq, sql } from 'drizzle-orm'
import type { Tag } from '#shared/tags/tags.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { conversationTags } from '#server/schema/tags/conversation-tags.ts'

export type TagRow = typeof conversationTags.$inferSelect

/** All of them, in their order. */
export async function listTagRows(db: Db): Promise<TagRow[]> {
  return db.select().from(conversationTags).orderBy(asc(conversationTags.place), asc(conversationTags.id))
}

export const toTag = ({ id, name, color, sectorId, isActive }: TagRow): Tag => ({
  id,
  name,
  color,
  sectorId,
  isActive,
})

/** How many conversations have each tag, by its id. */
export async function countUses(db: Db): Promise<Map<number, number>> {
  const found = await rows<{ id: number; uses: number }>(
    db,
    sql`select t.id, count(*)::int as uses
          from conversations v cross join lateral unnest(v.tag_ids) as t (id)
         where v.tag_ids <> '{}' group by t.id`,
  )
  return new Map(found.map(({ id, uses }) => [id, uses]))
}

/** Locks a tag; whoever puts it on a conversation waits. */
export async function lockTag(db: Db, id: number): Promise<TagRow | undefined> {
  const [row] = await db.select().from(conversationTags).where(eq(conversationTags.id, id)).for('update')
  return row
}
