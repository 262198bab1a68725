import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { SnoozeEnd } from '#shared/conversations/snooze.ts'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import { readReturned, withdrawFailed } from '#server/notifications/notifications.ts'
import type { Db, Tx, Urgency } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { snoozes } from '#server/schema/conversations/snoozes.ts'
import { asLocked, type Locked, type LockedMessage } from './lock.ts'

/** New values of a conversation's columns, or SQL for them. */
export type ConversationChange = PgUpdateSetSource<typeof conversations>

/**
 * Whether a change lets the clock of the automatic close begin: before, nothing ran. A conversation in the
 * queue, or in which the client waits, is not closed, with some settings, and one on hold with none.
 */
function startsClock(before: Locked, after: ConversationChange): boolean {
  return (
    (isSnoozed(before) && after.snoozedUntil === null) ||
    (before.returnedAt !== null && after.returnedAt === null) ||
    (before.disableAutoClose && after.disableAutoClose === false) ||
    (before.waitingFor === 'operator' && after.waitingFor === 'client') ||
    (before.subStatus === 'FILA' && after.subStatus === 'OPERADOR')
  )
}

/**
 * Changes a locked conversation and increments its version. Its end ends its hold; what ends that it is back
 * from one reads the notice of it.
 */
export async function updateConversation(
  db: Tx,
  conversation: Locked,
  values: ConversationChange,
): Promise<Locked> {
  const isEnding = values.status === 'completed'
  if (isEnding && isSnoozed(conversation)) await closeSnooze(db, conversation, 'completed')
  await noteReturnSeen(db, conversation, isEnding ? { returnedAt: null } : values)
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

/** Reads the notice of a return for its operator, where they have seen it by a change, or have it no more. */
export async function noteReturnSeen(
  db: Tx,
  { id, returnedAt, assignedUserId: holder }: Locked,
  values: ConversationChange,
): Promise<void> {
  if (returnedAt === null || holder === null) return
  const isPassedOn = values.assignedUserId !== undefined && values.assignedUserId !== holder
  if (isPassedOn || values.returnedAt === null) await readReturned(db, id, holder)
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

// The periods in which conversations were on hold. What is true of one now stands in its row, too.

const openOf = (conversationId: number) =>
  and(eq(snoozes.conversationId, conversationId), isNull(snoozes.endedAt))

/** Begins a hold of a locked conversation, or says of the one that it is in when it ends. */
export async function openSnooze(
  db: Tx,
  conversation: Locked,
  { userId, until }: { userId: number; until: Date },
): Promise<void> {
  if (isSnoozed(conversation)) await db.update(snoozes).set({ until }).where(openOf(conversation.id))
  else await db.insert(snoozes).values({ conversationId: conversation.id, userId, until })
}

/** Ends the hold of a locked conversation; one that is in none is left alone. */
export async function closeSnooze(db: Db, { id }: Pick<Locked, 'id'>, endedBy: SnoozeEnd): Promise<void> {
  await db
    .update(snoozes)
    .set({ endedAt: sql`greatest(app_now(), started_at)`, endedBy })
    .where(openOf(id))
}

/**
 * Takes back that a locked conversation's end ended its hold.
 * @returns until when it is on hold again; null: it was in none
 */
export async function reopenSnooze(db: Tx, { id, completedAt }: Locked): Promise<Date | null> {
  const [back] = await db
    .update(snoozes)
    .set({ endedAt: null, endedBy: null })
    .where(
      and(
        eq(snoozes.conversationId, id),
        eq(snoozes.endedBy, 'completed'),
        sql`${snoozes.endedAt} >= ${completedAt?.toISOString() ?? null}::timestamptz`,
      ),
    )
    .returning({ until: snoozes.until })
  return back?.until ?? null
}
