import type { Tx } from '#server/platform/database/db.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'

/**
 * Tells a person that a conversation of theirs has returned from hold.
 * @param told `messageId`: the line of its timeline
 */
export async function tellReturned(
  db: Tx,
  told: { userId: number; conversationId: number; messageId: number },
): Promise<void> {
  await db.insert(notifications).values({ ...told, kind: 'returned' })
  db.emit({ type: 'notifications_changed', userId: told.userId })
}
