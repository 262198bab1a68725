import { and, eq, inArray, min, sql } from 'drizzle-orm'
import { leaveQueue } from '#server/automation/automation.ts'
import { continuedIn } from '#shared/text/text.ts'
import {
  areDistinct,
  factsOf,
  forgetDistinction,
  joinContacts,
  keepName,
  listIdentityIds,
  lockPair,
  readFacts,
  recordMerge,
} from '#server/contacts/contacts.ts'
import { moveFollowers } from '#server/notifications/notifications.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import type { JoinedState, MergeUndo } from '#server/schema/contacts/merges.ts'
import { conversations, isOpen, messages } from '#server/schema/conversations/conversations.ts'
import { forgottenMessages } from '#server/schema/conversations/message-changes.ts'
import { outbox, scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { queuePendingConversations } from '#server/schema/conversations/queue.ts'
import { closeBlocked } from '#server/conversations/acts/close-blocked.ts'
import { mergeDrafts } from '#server/conversations/drafts/drafts.ts'
import { adoptPhoneMessages, mergeHistory } from './history.ts'
import { mergeHolds, noteMergedHold } from './merged-holds.ts'
import { mergeChoices } from '#server/conversations/automatic/choice-merge.ts'
import { mergeReads } from '#server/conversations/store/reads.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { notifyQuotingAny } from '#server/conversations/store/quoting.ts'
import { recount } from '#server/conversations/store/write.ts'
import { type Locked, lockConversation, lockConversations } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/**
 * Merges two contacts that turned out to be one person, a telephone number and a LID. Everything of one moves
 * to the other. Where both have an open conversation, the messages of the younger move into the older. Two
 * that an administrator keeps apart stay apart.
 * @returns whether the person is blocked
 */
export async function mergeContacts(db: Tx, keptId: number, mergedId: number): Promise<boolean> {
  if (await areDistinct(db, keptId, mergedId)) return isBlockedContact(db, keptId)
  const { isBlocked } = await mergeAll(db, keptId, mergedId, null)
  await record(db, 'system', { action: 'contact.merge', resourceId: keptId, details: { mergedId } })
  return isBlocked
}

/**
 * Merges two contacts on behalf of an administrator, so that it can be undone: history, which would be merged
 * message by message, stays as it is.
 * @throws AppError 404
 */
export async function mergeByHand(db: Tx, who: Who, keptId: number, mergedId: number): Promise<void> {
  const [kept, merged] = await lockPair(db, keptId, mergedId)
  await confirmRights(who, db)
  await forgetDistinction(db, keptId, mergedId)
  const identityIds = await listIdentityIds(db, mergedId)
  const { joined, conversationIds } = await mergeAll(db, keptId, mergedId, who)
  await keepName(db, kept)
  const undo = {
    kept: factsOf(kept),
    keptAfter: await readFacts(db, keptId),
    merged: factsOf(merged),
    identityIds,
    conversationIds,
    joined,
  }
  await recordMerge(db, who, { keptId, mergedId, undo })
}

/** @param by null: the product itself, which also merges what is history of both */
async function mergeAll(db: Tx, keptId: number, mergedId: number, by: Who | null) {
  const joined = await mergeOpenConversations(db, keptId, mergedId)
  await mergeChoices(db, keptId, mergedId)
  const moved = await db
    .update(conversations)
    .set({ contactId: keptId, version: sql`${conversations.version} + 1` })
    .where(eq(conversations.contactId, mergedId))
    .returning({ id: conversations.id })
  for (const table of [queuePendingConversations, conversationRatings, forgottenMessages])
    await db.update(table).set({ contactId: keptId }).where(eq(table.contactId, mergedId))
  if (by === null) {
    await adoptHistory(db, keptId)
    await mergeHistory(db, keptId)
  }
  const isBlocked = await joinContacts(db, keptId, mergedId)
  if (isBlocked) await closeBlocked(db, keptId, by?.id ?? null)
  const conversationIds = moved.map(({ id }) => id)
  const changed = new Set([...joined.flatMap(({ fromId, toId }) => [fromId, toId]), ...conversationIds])
  for (const id of changed) db.emit({ type: 'conversation_updated', conversationId: id })
  return { isBlocked, joined, conversationIds }
}

async function mergeOpenConversations(
  db: Tx,
  keptId: number,
  mergedId: number,
): Promise<MergeUndo['joined']> {
  const open = await db
    .select({
      id: conversations.id,
      instanceId: conversations.instanceId,
      contactId: conversations.contactId,
    })
    .from(conversations)
    .where(and(inArray(conversations.contactId, [keptId, mergedId]), isOpen))
    .orderBy(conversations.id)
  const joined: MergeUndo['joined'] = []
  for (const merged of open.filter((row) => row.contactId === mergedId)) {
    const other = open.find((row) => row.contactId === keptId && row.instanceId === merged.instanceId)
    if (!other) continue
    // In the order of ids, as everywhere.
    const older = await lockConversation(db, Math.min(merged.id, other.id))
    const younger = await lockConversation(db, Math.max(merged.id, other.id))
    if (!older || !younger) continue
    // One that has ended while its lock was awaited stays as it ended; the other goes on alone.
    if (older.status === 'completed' || younger.status === 'completed') continue
    joined.push(await moveMessages(db, younger, older))
  }
  return joined
}

async function moveMessages(db: Tx, from: Locked, kept: Locked): Promise<MergeUndo['joined'][number]> {
  const [to, holds] = await mergeHolds(db, from, kept)
  await mergeReads(db, from.id, to.id)
  await mergeDrafts(db, from.id, to.id)
  await moveFollowers(db, from.id, to.id)
  const moved = await db
    .update(messages)
    .set({ conversationId: to.id })
    .where(eq(messages.conversationId, from.id))
    .returning({ id: messages.id })
  await db.update(outbox).set({ conversationId: to.id }).where(eq(outbox.conversationId, from.id))
  const scheduled = await db
    .update(scheduledMessages)
    .set({ conversationId: to.id })
    .where(eq(scheduledMessages.conversationId, from.id))
    .returning({ id: scheduledMessages.id })
  const takesOperator = to.assignedUserId === null && from.assignedUserId !== null
  await recount(db, to.id)
  await notifyQuotingAny(db, to, [to.contactId, from.contactId])
  const after = await updateConversation(db, to, {
    ...(await waitingOf(db, to.id)),
    startedAt: to.startedAt < from.startedAt ? to.startedAt : from.startedAt,
    lastActivityAt: to.lastActivityAt > from.lastActivityAt ? to.lastActivityAt : from.lastActivityAt,
    disableAutoClose: to.disableAutoClose || from.disableAutoClose,
    // No message is confirmed as read twice.
    receiptMessageId: sql`greatest(${to.receiptMessageId}::int, ${from.receiptMessageId}::int)`,
    receiptDueId: sql`greatest(${to.receiptDueId}::int, ${from.receiptDueId}::int)`,
    tagIds: [...new Set([...to.tagIds, ...from.tagIds])].toSorted((a, b) => a - b),
    notes: [to.notes, from.notes].filter(Boolean).join('\n\n') || null,
    ...(takesOperator && {
      assignedUserId: from.assignedUserId,
      status: from.status,
      subStatus: from.subStatus,
    }),
  })
  await noteMergedHold(db, after, kept, from)
  await leaveQueue(db, from.id)
  // With the other conversation's operator it no longer waits in the queue.
  if (takesOperator) await leaveQueue(db, to.id)
  // The contact may know its protocol, so its notes say where it continues. No figure counts it as work done.
  await updateConversation(db, from, {
    status: 'completed',
    completedAt: sql`app_now()`,
    assignedUserId: null,
    isHistory: true,
    notes: continuedIn(to.protocol),
    waitingFor: 'client',
    waitingSince: null,
    lastMessageId: null,
    messageCount: 0,
    contactMessageCount: 0,
  })
  db.emit({ type: 'timeline_changed', conversationId: from.id })
  return {
    fromId: from.id,
    toId: to.id,
    messageIds: moved.map(({ id }) => id),
    scheduledIds: scheduled.map(({ id }) => id),
    ...holds,
    from: stateOf(from),
    to: stateOf(to),
    toAfter: stateOf(after),
  }
}

export const stateOf = (conversation: Locked): JoinedState => ({
  assignedUserId: conversation.assignedUserId,
  status: conversation.status,
  subStatus: conversation.subStatus,
  notes: conversation.notes,
  disableAutoClose: conversation.disableAutoClose,
  tagIds: conversation.tagIds,
  startedAt: conversation.startedAt.toISOString(),
})

async function isBlockedContact(db: Tx, id: number): Promise<boolean> {
  const [contact] = await db
    .select({ isBlocked: contacts.isBlocked })
    .from(contacts)
    .where(eq(contacts.id, id))
  return contact?.isBlocked ?? false
}

/** History of one of the two may belong to the open conversation of the other. */
async function adoptHistory(db: Tx, contactId: number): Promise<void> {
  const open = await lockConversations(db, and(eq(conversations.contactId, contactId), isOpen))
  for (const conversation of open) {
    const [first] = await db
      .select({ sentAt: min(messages.sentAt) })
      .from(messages)
      .where(and(eq(messages.conversationId, conversation.id), eq(messages.senderType, 'contact')))
    if (!first?.sentAt) continue
    await adoptPhoneMessages(db, conversation, first.sentAt)
    if (conversation.waitingFor === 'operator')
      await updateConversation(db, conversation, await waitingOf(db, conversation.id))
  }
}
