import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { mayRead } from '#server/platform/http/reach.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { conversationFollowers, notifications } from '#server/schema/notifications/notifications.ts'
import { listPeople } from '#server/users/users.ts'

export async function isFollowed(db: Db, conversationId: number, userId: number): Promise<boolean> {
  const found = await db
    .select({ userId: conversationFollowers.userId })
    .from(conversationFollowers)
    .where(
      and(eq(conversationFollowers.conversationId, conversationId), eq(conversationFollowers.userId, userId)),
    )
  return found.length > 0
}

/** Begins or ends to follow a conversation for a person. */
export async function setFollowed(
  db: Tx,
  row: { conversationId: number; userId: number },
  isWanted: boolean,
): Promise<void> {
  if (isWanted) await db.insert(conversationFollowers).values(row).onConflictDoNothing()
  else
    await db
      .delete(conversationFollowers)
      .where(
        and(
          eq(conversationFollowers.conversationId, row.conversationId),
          eq(conversationFollowers.userId, row.userId),
        ),
      )
}

/** The acts of which those are told who follow: who has a conversation now, that it ends or goes on. */
const toldActs: ReadonlySet<ConversationAct> = new Set<ConversationAct>([
  'taken',
  'assigned',
  'returned',
  'transferred',
  'moved',
  'placed',
  'distributed',
  'finalized',
  'closed_by_inactivity',
  'blocked',
  'reopened',
  'kept_open',
])

/** What has happened in a conversation that the transaction has locked. */
interface Happening {
  conversationId: number
  /** The message, note or line of the timeline that tells of it. */
  messageId: number
  /** Who did it, and is told nothing; null: the client, or the product itself. */
  byId: number | null
  /** What a line of the timeline tells of; not all are told to others. */
  act?: ConversationAct
  /** Others who are told otherwise. */
  except?: readonly number[]
}

/**
 * Tells those who follow a conversation, and may still read it, of what has happened in it. Whoever has not
 * read of something earlier has one notification of both.
 */
export async function tellFollowers(
  db: Tx,
  { conversationId, messageId, byId, act, except = [] }: Happening,
): Promise<void> {
  if (act !== undefined && !toldActs.has(act)) return
  const following = await rows<{ userId: number }>(
    db,
    sql`select user_id as "userId" from conversation_followers where conversation_id = ${conversationId}`,
  )
  const wanted = following
    .map(({ userId }) => userId)
    .filter((userId) => userId !== byId && !except.includes(userId))
  if (wanted.length === 0) return
  const [facts] = await db
    .select(reachFactColumns)
    .from(conversations)
    .where(eq(conversations.id, conversationId))
  const people = await listPeople(db, wanted)
  const readers = people.filter((person) => facts && mayRead(person, facts))
  if (readers.length === 0) return
  await db
    .insert(notifications)
    // In the order of ids, so that two transactions never wait for each other.
    .values(
      readers.map(({ id: userId }) => ({
        userId,
        kind: 'follow' as const,
        conversationId,
        messageId,
        actorId: byId,
      })),
    )
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.conversationId],
      targetWhere: sql`kind = 'follow' and read_at is null`,
      set: {
        messageId,
        actorId: byId,
        count: sql`${notifications.count} + 1`,
        happenedAt: sql`app_now()`,
      },
    })
  for (const { id: userId } of readers) db.emit({ type: 'notifications_changed', userId })
}

/** Whoever followed a conversation that is merged into another one follows that, and is told of it. */
export async function moveFollowers(db: Tx, fromId: number, toId: number): Promise<void> {
  await db.execute(
    sql`insert into conversation_followers (conversation_id, user_id, since)
        select ${toId}, user_id, since from conversation_followers where conversation_id = ${fromId}
        on conflict do nothing`,
  )
  await db.delete(conversationFollowers).where(eq(conversationFollowers.conversationId, fromId))
  // Of each person one unread notification is left: the newer one.
  await db.execute(
    sql`delete from notifications n using notifications o
         where n.kind = 'follow' and o.kind = 'follow' and n.read_at is null and o.read_at is null
           and n.user_id = o.user_id and n.conversation_id in (${fromId}, ${toId})
           and o.conversation_id in (${fromId}, ${toId})
           and (n.happened_at, n.id) < (o.happened_at, o.id)`,
  )
  const moved = await db
    .update(notifications)
    .set({ conversationId: toId })
    .where(eq(notifications.conversationId, fromId))
    .returning({ userId: notifications.userId })
  for (const userId of new Set(moved.map((row) => row.userId)))
    db.emit({ type: 'notifications_changed', userId })
}

/** Messages have gone back to the conversation that they came from, and what tells of one of them alone. */
export async function returnNotifications(
  db: Tx,
  messageIds: readonly number[],
  toId: number,
): Promise<void> {
  if (messageIds.length === 0) return
  await db
    .update(notifications)
    .set({ conversationId: toId })
    .where(
      and(
        inArray(notifications.kind, ['mention', 'failed_reply']),
        inArray(notifications.messageId, [...messageIds]),
      ),
    )
}
