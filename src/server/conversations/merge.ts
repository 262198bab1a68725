import { and, eq, ne, sql } from 'drizzle-orm'
import { moveIdentities } from '#server/contacts/contacts.ts'
import { record } from '#server/audit/audit.ts'
import type { Db, Emit } from '#server/platform/db.ts'
import { contacts } from '#server/schema/contacts.ts'
import { conversations, messages, outbox, queuePendingConversations } from '#server/schema/conversations.ts'
import { newestMessageOf } from './delivery.ts'
import { leaveQueue, lockConversation, updateConversation } from './write.ts'

/**
 * Two contacts turned out to be one person: a telephone number and a LID that a message joined. Everything of the one
 * goes to the other, which keeps its name and number. When both have an open conversation, the messages of the younger
 * one move into the older.
 */
export async function mergeContacts(db: Db, emit: Emit, keepId: number, goneId: number): Promise<void> {
  await joinOpenConversations(db, emit, keepId, goneId)
  const moved = await db
    .update(conversations)
    .set({ contactId: keepId, version: sql`${conversations.version} + 1` })
    .where(eq(conversations.contactId, goneId))
    .returning({ id: conversations.id })
  await db
    .update(queuePendingConversations)
    .set({ contactId: keepId })
    .where(eq(queuePendingConversations.contactId, goneId))
  await moveIdentities(db, goneId, keepId)
  await db
    .update(contacts)
    .set({ deletedAt: sql`app_now()`, phone: null, updatedAt: sql`app_now()` })
    .where(eq(contacts.id, goneId))
  await record(db, {
    userId: null,
    action: 'contact.merge',
    resourceType: 'contact',
    resourceId: keepId,
    details: { mergedId: goneId },
  })
  for (const { id } of moved) emit({ type: 'conversation_updated', conversationId: id })
}

async function joinOpenConversations(db: Db, emit: Emit, keepId: number, goneId: number): Promise<void> {
  const open = await db
    .select({
      id: conversations.id,
      instanceId: conversations.instanceId,
      contactId: conversations.contactId,
    })
    .from(conversations)
    .where(
      and(sql`${conversations.contactId} in (${keepId}, ${goneId})`, ne(conversations.status, 'completed')),
    )
    .orderBy(conversations.id)
  for (const younger of open.filter((row) => row.contactId === goneId)) {
    const other = open.find((row) => row.contactId === keepId && row.instanceId === younger.instanceId)
    if (!other) continue
    await moveMessages(db, emit, Math.max(younger.id, other.id), Math.min(younger.id, other.id))
  }
}

async function moveMessages(db: Db, emit: Emit, fromId: number, toId: number): Promise<void> {
  // In the order of ids, as everybody locks.
  const to = await lockConversation(db, toId)
  const from = await lockConversation(db, fromId)
  if (!from || !to) return
  await db.update(messages).set({ conversationId: toId }).where(eq(messages.conversationId, fromId))
  await db.update(outbox).set({ conversationId: toId }).where(eq(outbox.conversationId, fromId))
  const isWaiting = from.waitingFor === 'operator' || to.waitingFor === 'operator'
  await updateConversation(db, toId, {
    messageCount: to.messageCount + from.messageCount,
    waitingFor: isWaiting ? 'operator' : 'client',
    waitingSince: isWaiting ? (to.waitingSince ?? from.waitingSince) : null,
    lastActivityAt: to.lastActivityAt > from.lastActivityAt ? to.lastActivityAt : from.lastActivityAt,
    lastMessageId: newestMessageOf(toId),
    ...(to.assignedUserId === null &&
      from.assignedUserId !== null && {
        assignedUserId: from.assignedUserId,
        status: from.status,
        subStatus: from.subStatus,
      }),
  })
  await leaveQueue(db, emit, fromId)
  // With an operator from the other one it waits for nobody any more.
  if (to.assignedUserId === null && from.assignedUserId !== null) await leaveQueue(db, emit, toId)
  await updateConversation(db, fromId, {
    status: 'completed',
    completedAt: sql`app_now()`,
    lastMessageId: null,
    messageCount: 0,
  })
  emit({ type: 'conversation_updated', conversationId: fromId })
  emit({ type: 'conversation_updated', conversationId: toId })
}
