import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import { withdrawFailed } from '#server/notifications/notifications.ts'
import type { Tx, Urgency } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { asLocked, type Locked, type LockedMessage } from './lock.ts'
import { closeSnooze, isSnoozed } from './snoozes.ts'

/** New values of a conversation's columns, or SQL for them. */
export type ConversationChange = PgUpdateSetSource<typeof conversations>

/**
 * Whether a change lets the clock of the automatic close begin: before, nothing ran. A conversation in the
 * queue, or in which the client waits, is not closed, with some settings, and one on hold with none.
 */
function startsClock(before: Locked, after: ConversationChange): boolean {
  return (
    (isSnoozed(before) && after.snoozedUntil === null) ||
    (before.disableAutoClose && after.disableAutoClose === false) ||
    (before.waitingFor === 'operator' && after.waitingFor === 'client') ||
    (before.subStatus === 'FILA' && after.subStatus === 'OPERADOR')
  )
}

/** Changes a locked conversation and increments its version. Its end ends its hold. */
export async function updateConversation(
  db: Tx,
  conversation: Locked,
  values: ConversationChange,
): Promise<Locked> {
  const isEnding = values.status === 'completed'
  if (isEnding && isSnoozed(conversation)) await closeSnooze(db, conversation, 'completed')
  const [row] = await db
    .update(conversations)
    .set({
      ...(isEnding && { snoozedUntil: null, returnedAt: null }),
      ...values,
      // What is open again has ended for no reason; its timeline has kept the one that was chosen.
      ...(typeof values.status === 'string' && values.status !== 'completed' && { finishReasonId: null }),
      ...(startsClock(conversation, values) && { autoCloseFrom: sql`app_now()` }),
      version: sql`${conversations.version} + 1`,
    })
    .where(eq(conversations.id, conversation.id))
    .returning()
  if (!row) throw new Error('a locked conversation vanished')
  return asLocked(row)
}

/** Changes a message of a locked conversation, increments its version and emits it. */
export async function changeMessage(
  db: Tx,
  message: LockedMessage,
  values: PgUpdateSetSource<typeof messages>,
  urgency: Urgency = 'now',
): Promise<void> {
  await Promise.all([
    db
      .update(messages)
      .set({ ...values, version: sql`${messages.version} + 1` })
      .where(eq(messages.id, message.id)),
    // Lists show the ticks of the last message, so the conversation's row is newer, too.
    db
      .update(conversations)
      .set({ version: sql`${conversations.version} + 1` })
      .where(and(eq(conversations.id, message.conversationId), eq(conversations.lastMessageId, message.id))),
  ])
  const isOver = values.deliveryStatus !== undefined || values.deletedAt !== undefined
  if (message.deliveryStatus === 'failed' && isOver) await withdrawFailed(db, [message.id])
  db.emit({ type: 'new_message', conversationId: message.conversationId, messageId: message.id }, urgency)
}

/** Screens may hear of progress a little later; failures and unconfirmed sends are emitted at once. */
export function urgencyOf(status: DeliveryStatus): Urgency {
  return status === 'failed' || status === 'unknown' ? 'now' : 'tick'
}
