import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import { laterThan } from '#server/platform/database/changes.ts'
import { type Db, tableOf, type Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { isInReach, type Reader } from '#server/platform/http/reach.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { conversationReads } from '#server/schema/conversations/reads.ts'
import { isCountedOfContact } from './counted-message.ts'

export type ReadRow = typeof conversationReads.$inferSelect

/** A person's reading of a conversation. */
export type ReadKey = Pick<ReadRow, 'userId' | 'conversationId'>

/** The one serializer of a reading, for REST and for sockets. */
export function toRead({
  conversationId,
  lastMessageId,
  contactMessageCount,
  updatedAt,
}: ReadRow): ConversationRead {
  return { conversationId, lastMessageId, contactMessageCount, updatedAt: updatedAt.toISOString() }
}

/** A person's readings of the open conversations of their numbers. */
export async function listOpenReads(db: Db, who: Reader): Promise<ReadRow[]> {
  const found = await db
    .select({ read: conversationReads })
    .from(conversationReads)
    .innerJoin(conversations, eq(conversations.id, conversationReads.conversationId))
    .where(and(eq(conversationReads.userId, who.id), isOpen, isInReach(who, conversations)))
    .orderBy(conversationReads.conversationId)
  return found.map(({ read }) => read)
}

/** How much a person has read of each open conversation. */
export const listReadCounts = statement<{ userId: number }>()((db) =>
  db
    .select({
      conversationId: conversationReads.conversationId,
      contactMessageCount: conversationReads.contactMessageCount,
    })
    .from(conversationReads)
    .innerJoin(conversations, eq(conversations.id, conversationReads.conversationId))
    .where(and(eq(conversationReads.userId, sql.placeholder('userId')), isOpen)),
)

export async function listReads(db: Db, keys: readonly ReadKey[]): Promise<ReadRow[]> {
  if (keys.length === 0) return []
  const wanted = keys.map(({ userId, conversationId }) => ({ userId, conversationId }))
  const table = tableOf('k', wanted, { userId: 'int', conversationId: 'int' })
  return db
    .select()
    .from(conversationReads)
    .where(
      sql`(${conversationReads.userId}, ${conversationReads.conversationId})
        in (select k."userId", k."conversationId" from ${table})`,
    )
}

export async function findRead(db: Db, key: ReadKey): Promise<ReadRow | undefined> {
  const [row] = await listReads(db, [key])
  return row
}

/** Later than before by what a browser can distinguish. */
const laterThanBefore = laterThan(conversationReads.updatedAt)

/** Inserts a reading, or changes the one that exists if `setWhere` is true. */
export async function writeRead(
  db: Db,
  row: ReadKey & { lastMessageId: SQL | number; contactMessageCount: SQL | number },
  { set, setWhere }: { set: { lastMessageId: SQL; contactMessageCount: SQL }; setWhere: SQL },
): Promise<ReadRow | undefined> {
  const [written] = await db
    .insert(conversationReads)
    .values(row)
    .onConflictDoUpdate({
      target: [conversationReads.userId, conversationReads.conversationId],
      set: { ...set, updatedAt: laterThanBefore },
      setWhere,
    })
    .returning()
  return written
}

/** Recounts what each person has read of a locked conversation, after messages were moved in or out. */
export async function recountReads(db: Tx, conversationId: number): Promise<void> {
  const counted = sql`(select count(*)::int from messages m where m.conversation_id = ${conversationId}
    and m.id <= ${conversationReads.lastMessageId} and ${isCountedOfContact})`
  const changed = await db
    .update(conversationReads)
    .set({ contactMessageCount: counted, updatedAt: laterThanBefore })
    .where(
      and(
        eq(conversationReads.conversationId, conversationId),
        sql`${conversationReads.contactMessageCount} <> ${counted}`,
      ),
    )
    .returning({ userId: conversationReads.userId })
  for (const { userId } of changed) db.emit({ type: 'conversation_read', userId, conversationId })
}

/**
 * Merges the readings of two locked conversations, the messages of one of which are about to move into the
 * other. Each person has read up to the oldest message that is unread in either, so that nothing unread is
 * taken for read. The `recount` that follows counts them.
 */
export async function mergeReads(db: Tx, fromId: number, toId: number): Promise<void> {
  const merged = await db.execute<{ userId: number }>(
    sql`insert into conversation_reads as r (user_id, conversation_id, last_message_id, contact_message_count)
        select u.user_id, ${toId}::int, coalesce(
                 (select min(m.id) - 1 from messages m where ${isCountedOfContact}
                     and (m.conversation_id = ${toId} and m.id > coalesce(t.last_message_id, 0)
                          or m.conversation_id = ${fromId} and m.id > coalesce(f.last_message_id, 0))),
                 greatest(t.last_message_id, f.last_message_id)), 0
          from (select distinct user_id from conversation_reads
                 where conversation_id in (${fromId}, ${toId})) u
          left join conversation_reads t on t.user_id = u.user_id and t.conversation_id = ${toId}
          left join conversation_reads f on f.user_id = u.user_id and f.conversation_id = ${fromId}
        on conflict (user_id, conversation_id) do update
           set last_message_id = excluded.last_message_id,
               updated_at = greatest(app_now(), r.updated_at + interval '1 millisecond')
        returning user_id as "userId"`,
  )
  for (const { userId } of merged.rows) db.emit({ type: 'conversation_read', userId, conversationId: toId })
}
