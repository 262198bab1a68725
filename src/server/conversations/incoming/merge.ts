import { and, eq, inArray, min, ne, sql } from 'drizzle-orm'
import { leaveQueue } from '#server/automation/automation.ts'
import { continuedIn } from '#shared/text.ts'
import { joinContacts } from '#server/contacts/contacts.ts'
import { record } from '#server/audit/audit.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversationRatings, conversations, messages } from '#server/schema/conversations.ts'
import { forgottenMessages } from '#server/schema/message-changes.ts'
import { outbox } from '#server/schema/outbox.ts'
import { queuePendingConversations } from '#server/schema/queue.ts'
import { mergeDrafts } from '#server/conversations/drafts/drafts.ts'
import { adoptPhoneMessages, uniteHistory } from './history.ts'
import { unitePreAttendance } from '#server/conversations/automatic/pre-attendance.ts'
import { uniteReads } from '#server/conversations/store/reads.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { recount } from '#server/conversations/store/write.ts'
import { type Locked, lockConversation, lockConversations } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/**
 * Two contacts turned out to be one person: a telephone number and a LID that a message joined. Everything of the one
 * goes to the other. When both have an open conversation, the messages of the younger one move into the older.
 * @returns whether the person is blocked
 */
export async function mergeContacts(db: Tx, keepId: number, goneId: number): Promise<boolean> {
  const touched = await joinOpenConversations(db, keepId, goneId)
  await unitePreAttendance(db, keepId, goneId)
  const moved = await db
    .update(conversations)
    .set({ contactId: keepId, version: sql`${conversations.version} + 1` })
    .where(eq(conversations.contactId, goneId))
    .returning({ id: conversations.id })
  for (const table of [queuePendingConversations, conversationRatings, forgottenMessages])
    await db.update(table).set({ contactId: keepId }).where(eq(table.contactId, goneId))
  await settleOpen(db, keepId)
  await uniteHistory(db, keepId)
  const isBlocked = await joinContacts(db, keepId, goneId)
  await record(db, {
    userId: null,
    action: 'contact.merge',
    resourceType: 'contact',
    resourceId: keepId,
    details: { mergedId: goneId },
  })
  if (isBlocked) await closeSilently(db, keepId)
  for (const id of new Set([...touched, ...moved.map((row) => row.id)]))
    db.emit({ type: 'conversation_updated', conversationId: id })
  return isBlocked
}

/** @returns the conversations that were changed */
async function joinOpenConversations(db: Tx, keepId: number, goneId: number): Promise<number[]> {
  const open = await db
    .select({
      id: conversations.id,
      instanceId: conversations.instanceId,
      contactId: conversations.contactId,
    })
    .from(conversations)
    .where(and(inArray(conversations.contactId, [keepId, goneId]), ne(conversations.status, 'completed')))
    .orderBy(conversations.id)
  const touched: number[] = []
  for (const gone of open.filter((row) => row.contactId === goneId)) {
    const other = open.find((row) => row.contactId === keepId && row.instanceId === gone.instanceId)
    if (!other) continue
    // In the order of ids, as everybody locks.
    const older = await lockConversation(db, Math.min(gone.id, other.id))
    const younger = await lockConversation(db, Math.max(gone.id, other.id))
    if (!older || !younger) continue
    await moveMessages(db, younger, older)
    touched.push(older.id, younger.id)
  }
  return touched
}

async function moveMessages(db: Tx, from: Locked, to: Locked): Promise<void> {
  await uniteReads(db, from.id, to.id)
  await mergeDrafts(db, from.id, to.id)
  await db.update(messages).set({ conversationId: to.id }).where(eq(messages.conversationId, from.id))
  await db.update(outbox).set({ conversationId: to.id }).where(eq(outbox.conversationId, from.id))
  const takesOperator = to.assignedUserId === null && from.assignedUserId !== null
  await recount(db, to.id)
  await updateConversation(db, to, {
    ...(await waitingOf(db, to.id)),
    startedAt: to.startedAt < from.startedAt ? to.startedAt : from.startedAt,
    lastActivityAt: to.lastActivityAt > from.lastActivityAt ? to.lastActivityAt : from.lastActivityAt,
    disableAutoClose: to.disableAutoClose || from.disableAutoClose,
    // Nothing is told read twice.
    receiptMessageId: sql`greatest(${to.receiptMessageId}::int, ${from.receiptMessageId}::int)`,
    notes: [to.notes, from.notes].filter(Boolean).join('\n\n') || null,
    ...(takesOperator && {
      assignedUserId: from.assignedUserId,
      status: from.status,
      subStatus: from.subStatus,
    }),
  })
  await leaveQueue(db, from.id)
  // With an operator from the other one it waits in the queue no more.
  if (takesOperator) await leaveQueue(db, to.id)
  // Its protocol may have been told to the client: who looks for it is led on. No figure counts it as work done.
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
}

/** What was kept for one of the two may belong to the open conversation of the other. */
async function settleOpen(db: Tx, contactId: number): Promise<void> {
  const open = await lockConversations(
    db,
    and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')),
  )
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

/** As when a contact is blocked: what is open is completed without a text. */
async function closeSilently(db: Tx, contactId: number): Promise<void> {
  const closed = await db
    .update(conversations)
    .set({
      status: 'completed',
      completedAt: sql`app_now()`,
      waitingFor: 'client',
      waitingSince: null,
      version: sql`${conversations.version} + 1`,
    })
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
    .returning({ id: conversations.id })
  for (const { id } of closed) {
    await leaveQueue(db, id)
    db.emit({ type: 'conversation_updated', conversationId: id })
  }
}
