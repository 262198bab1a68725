import { and, eq, sql, TransactionRollbackError } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Db, inSavepoint, type Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import {
  messageReactions,
  messageVotes,
  pendingUpdates,
} from '#server/schema/conversations/message-changes.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { notifyQuoting } from '#server/conversations/store/quoting.ts'
import {
  isWaIdTaken,
  type LockedMessage,
  lockMessageByWaId,
  lockWaId,
} from '#server/conversations/store/lock.ts'
import { timeOf } from './change-times.ts'
import { applyDelivery } from './deliveries.ts'
import { applyEdit } from './edits.ts'
import { hasTombstone } from './tombstones.ts'

/** An event that changes a message which must exist already. */
export type MessageChange = Extract<
  GatewayEvent,
  { kind: 'delivery' | 'edit' | 'delete' | 'reaction' | 'vote' | 'pin' }
>

/**
 * Applies a change to its message; a change that comes before the message is put aside until that arrives.
 * Never opens a conversation, and never changes who waits for whom.
 */
export async function recordChange(db: Tx, instanceId: number, change: MessageChange): Promise<void> {
  const message =
    (await lockMessageByWaId(db, instanceId, change.waId)) ??
    (await waitForMessage(db, instanceId, change.waId))
  if (message) return applyChange(db, message, change)
  if (await hasTombstone(db, instanceId, change.waId)) return
  const { kind, waId, ...data } = change
  await db.insert(pendingUpdates).values({ instanceId, whatsappMessageId: waId, kind, data })
}

/**
 * The message may be getting its id at this moment, in a transaction that is not committed yet. If so, the id
 * is unlocked before the conversation is locked: the transaction that has the conversation may be waiting for
 * the id.
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

const deletePending = statement<{ instanceId: number; waId: string }>()((db) =>
  db
    .delete(pendingUpdates)
    .where(
      and(
        eq(pendingUpdates.instanceId, sql.placeholder('instanceId')),
        eq(pendingUpdates.whatsappMessageId, sql.placeholder('waId')),
      ),
    )
    .returning(),
)

/** Applies the changes that came before the message, in the order in which they came. */
export async function applyPending(db: Tx, instanceId: number, waId: string): Promise<void> {
  const pending = await deletePending(db, { instanceId, waId })
  for (const row of pending.sort((a, b) => a.id - b.id)) {
    const message = await lockMessageByWaId(db, instanceId, waId)
    if (message) await applyChange(db, message, { ...row.data, kind: row.kind, waId } as MessageChange)
  }
}

/**
 * Deletes changes whose message never came. The sweep of the gateway's record brings a lost message within
 * minutes, or when we are back; nothing else waits for one that is a month late.
 */
export async function trimPending(db: Db): Promise<void> {
  await db.delete(pendingUpdates).where(sql`${pendingUpdates.createdAt} <= app_now() - interval '30 days'`)
}

async function applyChange(db: Tx, message: LockedMessage, change: MessageChange): Promise<void> {
  // Its contact was anonymized: no text comes back.
  if (message.metadata.isErased && change.kind !== 'delivery') return
  switch (change.kind) {
    case 'delivery':
      return applyDelivery(db, message, change.status)
    case 'edit':
      return applyEdit(db, message, change)
    case 'delete':
      if (message.deletedAt !== null) return
      await changeMessage(db, message, { deletedAt: sql`app_now()` })
      return notifyQuoting(db, message, change.waId)
    case 'reaction':
      return applyReaction(db, message, change)
    case 'vote':
      return applyVote(db, message, change)
    case 'pin':
      return applyPin(db, message, change)
  }
}

async function applyReaction(
  db: Tx,
  message: LockedMessage,
  reaction: Extract<MessageChange, { kind: 'reaction' }>,
): Promise<void> {
  const reactedAt = await timeOf(db, reaction.sentAtMs)
  // A removal is stored as an empty reaction, so that an older one that comes after it changes nothing.
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
