import { and, asc, eq, inArray, type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import { type DeliveryStatus, deliveryStatuses } from '#shared/delivery.ts'
import type { FailureReason } from '#shared/text.ts'
import type { Content, GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Db, inSavepoint, lockName, type Tx } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import {
  messageReactions,
  messageVersions,
  messageVotes,
  pendingUpdates,
} from '#server/schema/message-changes.ts'
import { outbox } from '#server/schema/outbox.ts'
import { noteDuplicate } from './duplicates.ts'
import { forgetSent, isForgotten } from './tombstones.ts'
import { saysSame } from './match-content.ts'
import { changeMessage, urgencyOf } from '#server/conversations/store/change.ts'
import {
  isWaIdTaken,
  type LockedMessage,
  lockMessage,
  lockMessageByWaId,
} from '#server/conversations/store/lock.ts'
import { isSaidHere } from '#server/conversations/store/counted-message.ts'

/** An event that changes a message which must exist already. */
export type MessageChange = Extract<
  GatewayEvent,
  { kind: 'delivery' | 'edit' | 'delete' | 'reaction' | 'vote' | 'pin' }
>

const rankOf = (status: DeliveryStatus) => deliveryStatuses.indexOf(status)

/** Whether news may change a state: forward only, and a refusal only of what no tick has proven to be there. */
export function movesForward(from: DeliveryStatus | null, to: DeliveryStatus): boolean {
  return from !== null && rankOf(to) > rankOf(from)
}

/**
 * Applies a change to its message; what comes before the message is kept aside until that arrives.
 * Never opens a conversation, and never touches who waits for whom.
 */
export async function recordChange(db: Tx, instanceId: number, change: MessageChange): Promise<void> {
  const message =
    (await lockMessageByWaId(db, instanceId, change.waId)) ??
    (await waitForMessage(db, instanceId, change.waId))
  if (message) return applyChange(db, message, change)
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
async function waitForMessage(db: Tx, instanceId: number, waId: string): Promise<LockedMessage | undefined> {
  try {
    await inSavepoint(db, async (inside) => {
      await lockWaId(inside, instanceId, waId)
      if (await isWaIdTaken(inside, instanceId, waId)) throw new TransactionRollbackError()
    })
    return undefined
  } catch (error) {
    if (error instanceof TransactionRollbackError) return lockMessageByWaId(db, instanceId, waId)
    throw error
  }
}

/** Applies what came before the message, in the order in which it came. */
export async function applyPending(db: Tx, instanceId: number, waId: string): Promise<void> {
  const kept = await db
    .delete(pendingUpdates)
    .where(and(eq(pendingUpdates.instanceId, instanceId), eq(pendingUpdates.whatsappMessageId, waId)))
    .returning()
  for (const row of kept.sort((a, b) => a.id - b.id)) {
    const message = await lockMessageByWaId(db, instanceId, waId)
    if (message) await applyChange(db, message, { ...row.data, kind: row.kind, waId } as MessageChange)
  }
}

async function applyChange(db: Tx, message: LockedMessage, change: MessageChange): Promise<void> {
  switch (change.kind) {
    case 'delivery':
      if (movesForward(message.deliveryStatus, change.status))
        await changeMessage(
          db,
          message,
          { deliveryStatus: change.status, failureReason: change.status === 'failed' ? 'rejected' : null },
          urgencyOf(change.status),
        )
      return failpoint('delivery.recorded')
    case 'edit':
      return applyEdit(db, message, change)
    case 'delete':
      if (message.deletedAt === null) await changeMessage(db, message, { deletedAt: sql`app_now()` })
      return
    case 'reaction':
      return applyReaction(db, message, change)
    case 'vote':
      return applyVote(db, message, change)
    case 'pin':
      return applyPin(db, message, change)
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
  db: Tx,
  message: LockedMessage,
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
    return changeMessage(db, message, { editedAt })
  await db
    .insert(messageVersions)
    .values({ messageId: message.id, content: message.content, saidAt: message.editedAt })
  await changeMessage(db, message, { content: edit.content, editedAt })
}

/**
 * Whether the edit is the message's latest, or one that is kept: an edit of ours is told by its answer and by a webhook, which
 * may come after the next edit; some gateways tell each in two shapes; and an answer without a time is timed by our own clock.
 */
async function isEditKnown(
  db: Db,
  message: LockedMessage,
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
  db: Tx,
  message: LockedMessage,
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
  if (changed.length > 0) await changeMessage(db, message, {})
}

async function applyVote(
  db: Tx,
  message: LockedMessage,
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
  if (changed.length > 0) await changeMessage(db, message, {})
}

async function applyPin(
  db: Tx,
  message: LockedMessage,
  pin: Extract<MessageChange, { kind: 'pin' }>,
): Promise<void> {
  const pinChangedAt = await timeOf(db, pin.sentAtMs)
  if (message.pinChangedAt === null || message.pinChangedAt <= pinChangedAt)
    await changeMessage(db, message, { isPinned: pin.isPinned, pinChangedAt })
}

/**
 * The gateway has the message under this id: the proof that it was sent. Idempotent, whoever brings the proof first:
 * the answer, the echo, or the gateway's record.
 */
export async function recordSent(db: Tx, messageId: number, waId: string): Promise<void> {
  const now = await lockMessage(db, messageId)
  if (!now) return forgetSent(db, messageId, waId)
  if (now.whatsappMessageId !== null) {
    // Both are proofs of this very message, so the gateway has sent it twice.
    if (now.whatsappMessageId !== waId) await noteDuplicate(db, messageId, waId)
    return
  }
  await lockWaId(db, now.instanceId, waId)
  await forgetEchoOf(db, now, waId)
  await db
    .update(outbox)
    .set({ state: 'sent', leaseUntil: null, unknownSince: null, lastError: null })
    .where(eq(outbox.messageId, messageId))
  await changeMessage(
    db,
    now,
    { whatsappMessageId: waId, deliveryStatus: 'sent', failureReason: null },
    urgencyOf('sent'),
  )
  await applyPending(db, now.instanceId, waId)
  db.signal('outbox')
}

/**
 * An echo that nobody could match was taken for a message of the phone; now that its id is known to be ours, the two
 * become one.
 */
async function forgetEchoOf(db: Tx, message: LockedMessage, waId: string): Promise<void> {
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
    db.emit({ type: 'conversation_updated', conversationId })
  }
}

/** The newest message that everybody may see, as a sub-select. */
function newestMessageOf(conversationId: number): SQL {
  return sql`(select m.id from messages m where m.conversation_id = ${conversationId}
    and ${isSaidHere}
    order by m.sort_at desc, m.id desc limit 1)`
}

/** The message was refused for good, or given up: visible, with its reason. */
export async function recordFailed(db: Tx, messageId: number, reason: FailureReason): Promise<void> {
  await moveTo(db, messageId, 'failed', reason)
}

/** Moves a message that is still ours to send. */
export async function moveTo(
  db: Tx,
  messageId: number,
  status: DeliveryStatus,
  reason: FailureReason | null = null,
): Promise<void> {
  const message = await lockMessage(db, messageId)
  if (!message?.deliveryStatus || !isOursToSend.has(message.deliveryStatus)) return
  await changeMessage(db, message, { deliveryStatus: status, failureReason: reason }, urgencyOf(status))
}

const isOursToSend = new Set<DeliveryStatus>(['pending', 'sending', 'unknown', 'failed'])

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
