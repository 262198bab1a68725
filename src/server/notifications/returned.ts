import { and, eq, isNull, sql } from 'drizzle-orm'
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

/** A person has seen a conversation that had returned to them, or has it no more. */
export async function readReturned(db: Tx, conversationId: number, userId: number): Promise<void> {
  const read = await db
    .update(notifications)
    .set({ readAt: sql`app_now()` })
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.conversationId, conversationId),
        eq(notifications.kind, 'returned'),
        isNull(notifications.readAt),
      ),
    )
    .returning({ id: notifications.id })
  if (read.length > 0) db.emit({ type: 'notifications_changed', userId })
}
