import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { mayRead } from '#server/platform/http/reach.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { listPeople } from '#server/users/users.ts'

/**
 * Tells whoever wrote a message that did not go out, and whoever has its conversation, if they may read it.
 * Their conversations are locked. Another attempt that fails is told again; messages that have not failed, or
 * are deleted, are left out.
 */
export async function tellFailed(db: Tx, messageIds: readonly number[]): Promise<void> {
  const failed = await db
    .select({ messageId: messages.id, senderId: messages.senderId, facts: reachFactColumns })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(
      and(
        // oxlint-disable-next-line house/messages-by-id -- mayRead is asked of everybody who is told
        inArray(messages.id, [...messageIds]),
        eq(messages.deliveryStatus, 'failed'),
        isNotNull(messages.senderId),
        isNull(messages.deletedAt),
      ),
    )
    .orderBy(messages.id)
  for (const { messageId, senderId, facts } of failed) {
    const concerned = [senderId, facts.assignedUserId].filter((id) => id !== null)
    const people = await listPeople(db, [...new Set(concerned)])
    const told = people.filter((person) => mayRead(person, facts))
    if (told.length === 0) continue
    await db
      .insert(notifications)
      .values(
        told.map(({ id: userId }) => ({
          userId,
          kind: 'failed_reply' as const,
          conversationId: facts.id,
          messageId,
          actorId: senderId,
        })),
      )
      .onConflictDoUpdate({
        target: [notifications.userId, notifications.messageId],
        targetWhere: sql`kind = 'failed_reply'`,
        set: { happenedAt: sql`app_now()`, readAt: null },
      })
    for (const { id: userId } of told) db.emit({ type: 'notifications_changed', userId })
  }
}

/** The messages are sent again, have arrived after all, or are deleted: nobody is told of them any more. */
export async function withdrawFailed(db: Tx, messageIds: readonly number[]): Promise<void> {
  const withdrawn = await db
    .delete(notifications)
    .where(and(eq(notifications.kind, 'failed_reply'), inArray(notifications.messageId, [...messageIds])))
    .returning({ userId: notifications.userId })
  for (const userId of new Set(withdrawn.map((row) => row.userId)))
    db.emit({ type: 'notifications_changed', userId })
}
