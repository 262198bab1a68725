import { and, asc, eq, inArray, type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import { type DeliveryStatus, deliveryStatuses } from '#shared/delivery.ts'
import type { FailureReason } from '#shared/text.ts'
import type { Content, GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Db, type Emit, inSavepoint, lockName, type Urgency } from '#server/platform/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import {
  conversations,
  messageReactions,
  messages,
  messageVersions,
  messageVotes,
  outbox,
  pendingUpdates,
} from '#server/schema/conversations.ts'
import { noteDuplicate } from './duplicates.ts'
import { forgetSent, isForgotten } from './forgotten.ts'
import { saysSame } from './same-said.ts'
import { isSaidHere } from './said.ts'

/** An event that changes a message which must exist already. */
export type MessageChange = Extract<
  GatewayEvent,
  { kind: 'delivery' | 'edit' | 'delete' | 'reaction' | 'vote' | 'pin' }
>

type MessageRow = typeof messages.$inferSelect

const rankOf = (status: DeliveryStatus) => deliveryStatuses.indexOf(status)

/** Whether news may change a state: forward only, and a refusal only of what no tick has proven to be there. */
export function movesForward(from: DeliveryStatus | null, to: DeliveryStatus): boolean {
  return from !== null && rankOf(to) > rankOf(from)
}

/**
 * Applies a change to its message; what comes before the message is kept aside until that arrives.
 * Never opens a conversation, and never touches who waits for whom.
 */
export async function recordChange(
  db: Db,
  emit: Emit,
  instanceId: number,
  change: MessageChange,
): Promise<void> {
  const message =
    (await lockMessage(db, instanceId, change.waId)) ??
    (await waitForMessage(db, emit, instanceId, change.waId))
  if (message) return applyChange(db, emit, message, change)
  if (await isForgotten(db, instanceId, change.waId)) return
  const { kind, waId, ...data } = change
  await db.insert(pendingUpdates).values({ instanceId, whatsappMessageId: waId, kind, data })
}

/**
 * From here to the end of the transaction the id is ours: the message that gets it and news of it that find no message
 * yet come one after the other, so that nothing is put aside just after somebody looked for it there. Taken after the
 * conversation's lock, and before `applyPending`; who holds it asks for no conversation any more.
 */
export function lockWaId(db: Db, instanceId: number, waId: string): Promise<void> {
  return lockName(db, `message:${instanceId}:${waId}`)
}

/**
 * The message may be getting its id at this moment, in a transaction that nobody sees yet. If so, the id is let go before
 * its conversation is asked for: whoever holds that one may be waiting for the id.
 */
async function waitForMessage(
  db: Db,
  emit: Emit,
  instanceId: number,
  waId: string,
): Promise<MessageRow | undefined> {
  try {
    await inSavepoint(db, emit, async (inside) => {
      await lockWaId(inside, instanceId, waId)
      if (await findConversationOf(inside, instanceId, waId)) throw new TransactionRollbackError()
    })
    return undefined
  } catch (error) {
    if (error instanceof TransactionRollbackError) return lockMessage(db, instanceId, waId)
    throw error
  }
}

/** Applies what came before the message, in the order in which it came. */
export async function applyPending(db: Db, emit: Emit, instanceId: number, waId: string): Promise<void> {
  const kept = await db
    .delete(pendingUpdates)
    .where(and(eq(pendingUpdates.instanceId, instanceId), eq(pendingUpdates.whatsappMessageId, waId)))
    .returning()
  for (const row of kept.sort((a, b) => a.id - b.id)) {
    const message = await lockMessage(db, instanceId, waId)
    if (message) await applyChange(db, emit, message, { ...row.data, kind: row.kind, waId } as MessageChange)
  }
}

/** The message of an id, with its conversation taken for the rest of the transaction. */
export async function lockMessage(db: Db, instanceId: number, waId: string): Promise<MessageRow | undefined> {
  const conversationId = await findConversationOf(db, instanceId, waId)
  if (conversationId === undefined) return undefined
  // The conversation first, as everybody does: two that lock in one order never wait for each other.
  await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.id, conversationId))
    .for('update')
  const [message] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.instanceId, instanceId), eq(messages.whatsappMessageId, waId)))
  return message
}

async function findConversationOf(db: Db, instanceId: number, waId: string): Promise<number | undefined> {
  const [found] = await db
    .select({ conversationId: messages.conversationId })
    .from(messages)
    .where(and(eq(messages.instanceId, instanceId), eq(messages.whatsappMessageId, waId)))
  return found?.conversationId
}

async function applyChange(db: Db, emit: Emit, message: MessageRow, change: MessageChange): Promise<void> {
  switch (change.kind) {
    case 'delivery':
      if (movesForward(message.deliveryStatus, change.status))
        await changeMessage(
          db,
          emit,
          message,
          { deliveryStatus: change.status, failureReason: change.status === 'failed' ? 'rejected' : null },
          urgencyOf(change.status),
        )
      return failpoint('delivery.recorded')
    case 'edit':
      return applyEdit(db, emit, message, change)
    case 'delete':
      if (message.deletedAt === null) await changeMessage(db, emit, message, { deletedAt: sql`app_now()` })
      return
    case 'reaction':
      return applyReaction(db, emit, message, change)
    case 'vote':
      return applyVote(db, emit, message, change)
    case 'pin':
      return applyPin(db, emit, message, change)
  }
}

/** By how much two clocks that tell of one moment may differ. */
const clocksApartMs = 120_000

/** When a phone says that it happened; a clock that runs ahead must not make every later change an older one. */
async function timeOf(db: Db, ms: number): Promise<Date> {
  const now = await appNow(db)
  return new Date(ms > 0 ? Math.min(ms, now.getTime() + clocksApartMs) : now)
}

async function applyEdit(
  db: Db,
  emit: Emit,
  message: MessageRow,
  edit: Extract<MessageChange, { kind: 'edit' }>,
): Promise<void> {
  const editedAt = await timeOf(db, edit.editedAtMs)
  // The newest edit is what the message says, whichever comes first.
  if (message.editedAt !== null && message.editedAt >= editedAt) {
    if (await isEditKnown(db, message, { content: edit.content, editedAt })) return
    await db
      .insert(messageVersions)
      .values({ messageId: message.id, content: edit.content, saidAt: editedAt })
    return
  }
  if (message.editedAt !== null && message.content === edit.content)
    return changeMessage(db, emit, message, { editedAt })
  await db
    .insert(messageVersions)
    .values({ messageId: message.id, content: message.content, saidAt: message.editedAt })
  await changeMessage(db, emit, message, { content: edit.content, editedAt })
}

/**
 * Whether the edit is the message's latest, or one that is kept: an edit of ours is told by its answer and by a webhook, which
 * may come after the next edit; some gateways tell each in two shapes; and an answer without a time is timed by our own clock.
 */
async function isEditKnown(
  db: Db,
  message: MessageRow,
  { content, editedAt }: { content: string; editedAt: Date },
): Promise<boolean> {
  const isThis = (at: Date | null) =>
    at !== null && Math.abs(at.getTime() - editedAt.getTime()) <= clocksApartMs
  if (message.content === content && isThis(message.editedAt)) return true
  const kept = await db
    .select({ saidAt: messageVersions.saidAt })
    .from(messageVersions)
    .where(and(eq(messageVersions.messageId, message.id), eq(messageVersions.content, content)))
  return kept.some(({ saidAt }) => isThis(saidAt))
}

async function applyReaction(
  db: Db,
  emit: Emit,
  message: MessageRow,
  reaction: Extract<MessageChange, { kind: 'reaction' }>,
): Promise<void> {
  const reactedAt = await timeOf(db, reaction.sentAtMs)
  // A removal is kept as an empty one, so that an older reaction that comes after it changes nothing.
  const changed = await db
    .insert(messageReactions)
    .values({ messageId: message.id, sender: reaction.from, emoji: reaction.emoji, reactedAt })
    .onConflictDoUpdate({
      target: [messageReactions.messageId, messageReactions.sender],
      set: { emoji: reaction.emoji, reactedAt },
      setWhere: sql`${messageReactions.reactedAt} <= excluded.reacted_at`,
    })
    .returning({ id: messageReactions.id })
  if (changed.length > 0) await changeMessage(db, emit, message, {})
}

async function applyVote(
  db: Db,
  emit: Emit,
  message: MessageRow,
  vote: Extract<MessageChange, { kind: 'vote' }>,
): Promise<void> {
  const votedAt = await timeOf(db, vote.sentAtMs)
  const changed = await db
    .insert(messageVotes)
    .values({ messageId: message.id, sender: vote.from, options: vote.options, votedAt })
    .onConflictDoUpdate({
      target: [messageVotes.messageId, messageVotes.sender],
      set: { options: vote.options, votedAt },
      setWhere: sql`${messageVotes.votedAt} <= excluded.voted_at`,
    })
    .returning({ id: messageVotes.id })
  if (changed.length > 0) await changeMessage(db, emit, message, {})
}

async function applyPin(
  db: Db,
  emit: Emit,
  message: MessageRow,
  pin: Extract<MessageChange, { kind: 'pin' }>,
): Promise<void> {
  const pinChangedAt = await timeOf(db, pin.sentAtMs)
  if (message.pinChangedAt === null || message.pinChangedAt <= pinChangedAt)
    await changeMessage(db, emit, message, { isPinned: pin.isPinned, pinChangedAt })
}

/** A message on its way is news that can wait a moment; that it goes no further is not. */
export const urgencyOf = (status: DeliveryStatus): Urgency =>
  status === 'failed' || status === 'unknown' ? 'now' : 'tick'

/** Writes a message of a locked conversation with its next version, and says so. */
export async function changeMessage(
  db: Db,
  emit: Emit,
  message: { id: number; conversationId: number },
  values: Partial<typeof messages.$inferInsert> | Record<string, unknown>,
  urgency: Urgency = 'now',
): Promise<void> {
  await db
    .update(messages)
    .set({ ...values, version: sql`${messages.version} + 1` })
    .where(eq(messages.id, message.id))
  // A list shows the ticks of the last message, so its row is a newer one too.
  await db
    .update(conversations)
    .set({ version: sql`${conversations.version} + 1` })
    .where(and(eq(conversations.id, message.conversationId), eq(conversations.lastMessageId, message.id)))
  emit({ type: 'new_message', conversationId: message.conversationId, messageId: message.id }, urgency)
}

/**
 * The gateway has the message under this id: the proof that it was sent. Idempotent, whoever brings the proof first:
 * the answer, the echo, or the gateway's record.
 */
export async function recordSent(db: Db, emit: Emit, messageId: number, waId: string): Promise<void> {
  const [message] = await db.select().from(messages).where(eq(messages.id, messageId))
  if (!message) return forgetSent(db, messageId, waId)
  await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.id, message.conversationId))
    .for('update')
  const [now] = await db.select().from(messages).where(eq(messages.id, messageId))
  if (!now) return forgetSent(db, messageId, waId)
  if (now.whatsappMessageId !== null) {
    // Both are proofs of this very message, so the gateway has sent it twice.
    if (now.whatsappMessageId !== waId) await noteDuplicate(db, messageId, waId)
    return
  }
  await lockWaId(db, now.instanceId, waId)
  await forgetEchoOf(db, emit, now, waId)
  await db
    .update(outbox)
    .set({ state: 'sent', leaseUntil: null, unknownSince: null, lastError: null })
    .where(eq(outbox.messageId, messageId))
  await changeMessage(
    db,
    emit,
    now,
    { whatsappMessageId: waId, deliveryStatus: 'sent' satisfies DeliveryStatus, failureReason: null },
    urgencyOf('sent'),
  )
  await applyPending(db, emit, now.instanceId, waId)
  emit.wake('outbox')
}

/**
 * An echo that nobody could match was taken for a message of the phone; now that its id is known to be ours, the two
 * become one.
 */
async function forgetEchoOf(db: Db, emit: Emit, message: MessageRow, waId: string): Promise<void> {
  const forgotten = await db
    .delete(messages)
    .where(
      and(
        eq(messages.instanceId, message.instanceId),
        eq(messages.whatsappMessageId, waId),
        eq(messages.senderType, 'user'),
        sql`${messages.senderId} is null`,
        sql`${messages.id} <> ${message.id}`,
      ),
    )
    .returning({ conversationId: messages.conversationId })
  for (const { conversationId } of forgotten) {
    await db
      .update(conversations)
      .set({
        messageCount: sql`${conversations.messageCount} - 1`,
        lastMessageId: newestMessageOf(conversationId),
        version: sql`${conversations.version} + 1`,
      })
      .where(eq(conversations.id, conversationId))
    emit({ type: 'conversation_updated', conversationId })
  }
}

/** The newest message that everybody may see, as a sub-select. */
function newestMessageOf(conversationId: number): SQL {
  return sql`(select m.id from messages m where m.conversation_id = ${conversationId}
    and ${isSaidHere}
    order by m.sort_at desc, m.id desc limit 1)`
}

/** The message was refused for good, or given up: visible, with its reason. */
export async function recordFailed(
  db: Db,
  emit: Emit,
  messageId: number,
  reason: FailureReason,
): Promise<void> {
  await moveTo(db, emit, messageId, 'failed', reason)
}

/** Moves a message that is still ours to send. */
export async function moveTo(
  db: Db,
  emit: Emit,
  messageId: number,
  status: DeliveryStatus,
  reason: FailureReason | null = null,
): Promise<void> {
  const [message] = await db
    .select({ id: messages.id, conversationId: messages.conversationId })
    .from(messages)
    .where(
      and(
        eq(messages.id, messageId),
        inArray(messages.deliveryStatus, ['pending', 'sending', 'unknown', 'failed']),
      ),
    )
  if (!message) return
  const values = { deliveryStatus: status, failureReason: reason }
  await changeMessage(db, emit, message, values, urgencyOf(status))
}

/**
 * The message of ours that an echo speaks of: the one that is under way to this contact and says the same. One is in
 * flight per conversation; what has failed within the hour, given up or refused, is meant only when nothing else can be.
 */
export async function findInFlight(
  db: Db,
  conversationIds: number[],
  told: Content,
): Promise<{ messageId: number } | undefined> {
  if (conversationIds.length === 0) return undefined
  const [row] = await db
    .select({ messageId: messages.id })
    .from(outbox)
    .innerJoin(messages, eq(messages.id, outbox.messageId))
    .where(
      and(
        inArray(outbox.conversationId, conversationIds),
        saysSame(sql`${messages}`, told),
        sql`${messages.whatsappMessageId} is null`,
        sql`(${outbox.state} in ('sending', 'unknown') or (${outbox.state} = 'pending' and ${outbox.tries} > 0)
             or (${outbox.state} = 'failed' and ${outbox.firstAttemptAt} > app_now() - interval '1 hour'))`,
      ),
    )
    .orderBy(
      sql`case ${outbox.state} when 'sending' then 0 when 'unknown' then 1 when 'pending' then 2 else 3 end`,
      asc(outbox.id),
    )
    .limit(1)
  return row
}
