import { and, eq, inArray, isNull, lt, not, or, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { files, mediaFetches } from '#server/schema/media.ts'

export type FileRow = typeof files.$inferSelect
export type NewFile = Omit<typeof files.$inferInsert, 'messageId'>

/** Inserts the row before the file is stored: a file that is never assigned is removed through its row. */
export async function insertFile(db: Db, file: NewFile): Promise<void> {
  await db.insert(files).values(file)
}

/** @returns whether the file now belongs to the message; false when another file already does */
export async function ownFile(db: Db, name: string, messageId: number): Promise<boolean> {
  const owned = await rows(
    db,
    sql`update files set message_id = ${messageId} where name = ${name}
           and not exists (select 1 from files f where f.message_id = ${messageId}) returning id`,
  )
  return owned.length > 0
}

export async function findFile(db: Db, name: string): Promise<FileRow | undefined> {
  const [row] = await db.select().from(files).where(eq(files.name, name))
  return row
}

export async function findFileOf(db: Db, messageId: number): Promise<FileRow | undefined> {
  const [row] = await db.select().from(files).where(eq(files.messageId, messageId))
  return row
}

export interface Fetch extends Record<string, unknown> {
  messageId: number
  tries: number
}

/** Requests the files of new messages; call it in the transaction that writes them. */
export async function wantFiles(db: Db, messageIds: number[]): Promise<void> {
  if (messageIds.length === 0) return
  await db
    .insert(mediaFetches)
    .values(messageIds.map((messageId) => ({ messageId })))
    .onConflictDoNothing()
}

/** Claims the fetch that has waited longest; it is reserved for the lease. */
export async function claimFetch(db: Db, leaseMs: number): Promise<Fetch | undefined> {
  const [row] = await rows<Fetch>(
    db,
    sql`update media_fetches set tries = tries + 1, not_before = now() + ${leaseMs} * interval '1 millisecond'
         where id = (select id from media_fetches where not_before <= now()
                      order by not_before, id limit 1 for update skip locked)
        returning message_id as "messageId", tries`,
  )
  return row
}

/**
 * Restarts all fetches. Call it when no other program is running: interrupted fetches start again, and
 * waiting ones at once.
 */
export async function restartFetches(db: Db): Promise<void> {
  await db.execute(sql`update media_fetches set not_before = now() where not_before > now()`)
}

/** Ends a fetch that succeeded or was given up. */
export async function endFetch(db: Db, messageId: number): Promise<void> {
  await db.delete(mediaFetches).where(eq(mediaFetches.messageId, messageId))
}

export async function postponeFetch(
  db: Db,
  messageId: number,
  { waitMs, error }: { waitMs: number; error: string },
): Promise<void> {
  await db.execute(
    sql`update media_fetches set last_error = ${error.slice(0, 300)},
               not_before = now() + ${waitMs} * interval '1 millisecond'
         where message_id = ${messageId}`,
  )
}

/** Whether the file is a contact's picture, which no message owns. */
const isAvatar = sql`exists (select 1 from contacts c where split_part(c.avatar_url, '?v=', 2) = files.name)`

/** Whether the file belongs to a quick response, which the settings contain. */
const isQuickResponse = sql`exists (
  select 1 from system_settings s
   where s.values -> 'quickResponses' @> jsonb_build_array(
     jsonb_build_object('file', jsonb_build_object('name', files.name))))`

/** Lists files without an owner, and files fetched on demand, that are older than `olderThanMs`. */
export async function listSpareFiles(db: Db, olderThanMs: number, limit: number): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(
      and(
        or(isNull(files.messageId), eq(files.isPassing, true)),
        not(isAvatar),
        not(isQuickResponse),
        lt(files.createdAt, sql`app_now() - ${olderThanMs} * interval '1 millisecond'`),
      ),
    )
    .limit(limit)
}

/** @returns the names that were still spare and are now deleted */
export async function deleteSpareFiles(db: Db, names: string[]): Promise<void> {
  if (names.length === 0) return
  await db
    .delete(files)
    .where(and(inArray(files.name, names), or(isNull(files.messageId), eq(files.isPassing, true))))
}
