import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { enterQueue, leaveQueue } from '#server/automation/automation.ts'
import { lockUndoable, partContacts } from '#server/contacts/contacts.ts'
import { returnNotifications } from '#server/notifications/notifications.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { JoinedState, MergeUndo } from '#server/schema/contacts/merges.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { outbox, scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { freeOfShutOut } from '#server/conversations/acts/free-conversations.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { type ConversationChange, updateConversation } from '#server/conversations/store/change.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { notifyQuotingAny } from '#server/conversations/store/quoting.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { recount } from '#server/conversations/store/write.ts'
import { stateOf } from './merge.ts'
import { partHolds } from './merged-holds.ts'

type Joined = MergeUndo['joined'][number]

/**
 * Undoes a merge by hand: the conversations, and the messages that moved into one of the other contact, go
 * back. What was said since the merge stays where it was said.
 * @throws AppError 404 not one of the last day, or undone; 409 when one of the contacts was merged or deleted
 *   since, or somebody else has the number
 */
export async function undoMerge(db: Tx, who: Who, id: number): Promise<void> {
  const merge = await lockUndoable(db, id)
  await confirmRights(who, db)
  const { keptId, mergedId, undo } = merge
  const ids = [...undo.conversationIds, ...undo.joined.flatMap(({ fromId, toId }) => [fromId, toId])]
  const locked = await lockConversations(
    db,
    and(inArray(conversations.id, ids), eq(conversations.contactId, keptId)),
  )
  const byId = new Map(locked.map((one) => [one.id, one]))
  await db
    .update(conversations)
    .set({ contactId: mergedId, version: sql`${conversations.version} + 1` })
    .where(and(inArray(conversations.id, undo.conversationIds), eq(conversations.contactId, keptId)))
  await db
    .update(conversationRatings)
    .set({ contactId: mergedId })
    .where(inArray(conversationRatings.conversationId, undo.conversationIds))
  for (const joined of undo.joined) {
    const [from, to] = [byId.get(joined.fromId), byId.get(joined.toId)]
    if (from && to) await separate(db, joined, from, to)
  }
  await partContacts(db, who, merge)
  for (const { id: changed } of locked) db.emit({ type: 'conversation_updated', conversationId: changed })
}

/** Gives a conversation back the messages that it had, and is open again if the other one still is. */
async function separate(db: Tx, joined: Joined, from: Locked, to: Locked): Promise<void> {
  await db
    .update(messages)
    .set({ conversationId: from.id })
    .where(and(inArray(messages.id, joined.messageIds), eq(messages.conversationId, to.id)))
  await db.update(outbox).set({ conversationId: from.id }).where(inArray(outbox.messageId, joined.messageIds))
  await db
    .update(scheduledMessages)
    .set({ conversationId: from.id })
    .where(inArray(scheduledMessages.id, joined.scheduledIds ?? []))
  await returnNotifications(db, joined.messageIds, from.id)
  await recount(db, to.id)
  await recount(db, from.id)
  await notifyQuotingAny(db, to, [from.contactId, to.contactId])
  const isOver = to.status === 'completed'
  const holds = await partHolds(db, isOver ? { ...joined, heldIds: [] } : joined, from, to)
  if (isOver) {
    // Who ended it answered both.
    await updateConversation(db, from, { isHistory: false, notes: joined.from.notes })
    return
  }
  const reopened = await updateConversation(db, from, {
    ...restored(joined.from),
    completedAt: null,
    autoCloseFrom: sql`app_now()`,
    isHistory: false,
    ...holds.from,
    ...(await waitingOf(db, from.id)),
  })
  const kept = await updateConversation(db, to, {
    ...unchangedSince(joined, to),
    ...holds.to,
    ...(await waitingOf(db, to.id)),
  })
  for (const one of [reopened, kept])
    // Who had it then may be shut out by now.
    if (!(await freeOfShutOut(db, one))) await queueOrNot(db, one)
}

const restored = ({ startedAt, ...state }: JoinedState): ConversationChange => ({
  ...state,
  startedAt: new Date(startedAt),
})

/** The fields that nobody has changed since the merge, as they were before it. */
function unchangedSince({ to, toAfter }: Joined, now: Locked): ConversationChange {
  const current = stateOf(now)
  const fields = Object.keys(to) as (keyof JoinedState)[]
  const isSame = (field: keyof JoinedState) => isDeepStrictEqual(current[field], toAfter[field])
  // Who has it and whether it is queued are one fact.
  const isHeldAsThen = isSame('assignedUserId') && isSame('status') && isSame('subStatus')
  const held = new Set<keyof JoinedState>(['assignedUserId', 'status', 'subStatus'])
  const { startedAt, ...back } = Object.fromEntries(
    fields
      .filter((field) => (held.has(field) ? isHeldAsThen : isSame(field)))
      .map((field) => [field, to[field]]),
  ) as Partial<JoinedState>
  return { ...back, ...(startedAt !== undefined && { startedAt: new Date(startedAt) }) }
}

async function queueOrNot(db: Tx, conversation: Locked): Promise<void> {
  if (conversation.subStatus === 'FILA' && !isSnoozed(conversation)) await enterQueue(db, conversation)
  else await leaveQueue(db, conversation.id)
}
