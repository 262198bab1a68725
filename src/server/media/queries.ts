import { and, eq, inArray, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm'
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
  instanceId: number
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

/**
 * Claims the fetch that has waited longest; it is reserved for the lease.
 * @param full the numbers of which none is claimed
 */
export async function claimFetch(
  db: Db,
  leaseMs: number,
  full: readonly number[] = [],
): Promise<Fetch | undefined> {
  const [row] = await rows<Fetch>(
    db,
    sql`update media_fetches set tries = tries + 1, not_before = now() + ${leaseMs} * interval '1 millisecond'
         where id = (select f.id from media_fetches f join messages m on m.id = f.message_id
                      where f.not_before <= now() and m.instance_id <> all(${sql.param(full)}::int[])
                      order by f.not_before, f.id limit 1 for update of f skip locked)
        returning message_id as "messageId", tries,
                  (select m.instance_id from messages m where m.id = message_id) as "instanceId"`,
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

/** @param isUncounted the try failed for a reason of our own, and another one may take its place */
export async function postponeFetch(
  db: Db,
  messageId: number,
  { waitMs, error, isUncounted = false }: { waitMs: number; error: string; isUncounted?: boolean },
): Promise<void> {
  await db.execute(
    sql`update media_fetches set last_error = ${error.slice(0, 300)},
               tries = tries - ${isUncounted ? 1 : 0},
               not_before = now() + ${waitMs} * interval '1 millisecond'
         where message_id = ${messageId}`,
  )
}

/** Makes a file the contact's picture, in the place of the one before; undefined: the contact has none. */
export async function ownAvatarFile(db: Db, contactId: number, name: string | undefined): Promise<void> {
  await db
    .update(files)
    .set({ contactId: null })
    .where(and(eq(files.contactId, contactId), name === undefined ? undefined : ne(files.name, name)))
  if (name !== undefined) await db.update(files).set({ contactId }).where(eq(files.name, name))
}

/** Makes a file the person's picture, in the place of the one before; undefined: none. */
export async function ownProfilePicture(db: Db, userId: number, name: string | undefined): Promise<void> {
  await db
    .update(files)
    .set({ userId: null })
    .where(and(eq(files.userId, userId), name === undefined ? undefined : ne(files.name, name)))
  if (name !== undefined) await db.update(files).set({ userId }).where(eq(files.name, name))
}

/** Makes these the files of quick responses, and no others among the given ones, or among all. */
export async function ownQuickResponseFiles(db: Db, isNamed: SQL, among?: readonly string[]): Promise<void> {
  const isAmong = among
    ? sql`${files.name} = any(${sql.param(among)}::text[])`
    : or(files.isQuickResponse, isNamed)
  await db
    .update(files)
    .set({ isQuickResponse: isNamed })
    .where(and(isAmong, sql`${files.isQuickResponse} <> (${isNamed})`))
}

/** Whether some macro names the file; asked anew of each, in the transaction that changes a macro. */
export async function ownMacroFiles(db: Db, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db.execute(
    sql`update files set is_of_macro = exists (
          select from macros m where m.file_names <> '{}' and m.file_names @> array[files.name])
         where name = any(${sql.param(names)}::text[])`,
  )
}

/** Without an owner, or fetched only to be looked at. */
const isSpare = or(
  and(
    isNull(files.messageId),
    isNull(files.contactId),
    isNull(files.userId),
    not(files.isQuickResponse),
    not(files.isOfMacro),
  ),
  files.isPassing,
)

/** Gives up the file of a person who was anonymized: the next sweep deletes it, however new it is. */
export async function eraseFile(db: Db, name: string): Promise<void> {
  await db.update(files).set({ isErased: true }).where(eq(files.name, name))
}

/** Takes its file from a message: it has no owner any more, and its bytes are deleted at once. */
export async function eraseFileOf(db: Db, messageId: number): Promise<void> {
  await db.update(files).set({ isErased: true, messageId: null }).where(eq(files.messageId, messageId))
}

/** @param olderThanMs by the product's clock; what was of an anonymized person is listed at once */
export async function listSpareFiles(db: Db, olderThanMs: number, limit: number): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(
      and(
        isSpare,
        or(files.isErased, lt(files.createdAt, sql`app_now() - ${olderThanMs} * interval '1 millisecond'`)),
      ),
    )
    .limit(limit)
}

/** As if those that are spare were new. */
export async function renewSpareFiles(db: Db, names: readonly string[]): Promise<void> {
  await db
    .update(files)
    .set({ isErased: false, createdAt: sql`app_now()` })
    .where(and(inArray(files.name, [...names]), isSpare))
}

/** Deletes those that are still spare. */
export async function deleteSpareFiles(db: Db, names: string[]): Promise<void> {
  if (names.length === 0) return
  await db.delete(files).where(and(inArray(files.name, names), isSpare))
}
