import type { Tx } from '#server/platform/database/db.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'

/** Tells people that the time to a conversation's first reply, or to its end, is nearly over. */
export async function tellNearEnd(
  db: Tx,
  userIds: readonly number[],
  about: { conversationId: number; kind: 'sla_reply' | 'sla_end' },
): Promise<void> {
  if (userIds.length === 0) return
  await db.insert(notifications).values(userIds.map((userId) => ({ userId, ...about })))
  for (const userId of userIds) {
    db.emit({ type: 'notifications_changed', userId })
    db.emit({ type: 'sla_near', userId, conversationId: about.conversationId })
  }
}
