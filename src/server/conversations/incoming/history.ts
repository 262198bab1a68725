import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { appNow } from '#server/platform/clock.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { appendTo } from '#server/conversations/messages/append.ts'
import { plausibleTime } from '#server/conversations/store/message-place.ts'
import { notifyQuotingAny } from '#server/conversations/store/quoting.ts'
import { insertConversation, recount } from '#server/conversations/store/write.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'

/**
 * Stores a message so that the history is whole, in a conversation that is completed at once: nobody is
 * queued and nothing sounds.
 */
export async function storeAsHistory(
  db: Tx,
  instanceId: number,
  contactId: number,
  reported: IncomingMessage,
): Promise<void> {
  const at = plausibleTime(reported.sentAt, await appNow(db), reported.isHistory)
  const event = { ...reported, sentAt: at }
  const conversation =
    (await mergeNear(db, { instanceId, contactId, at })) ??
    (await insertHistory(db, { instanceId, contactId, at, initiatedBy: initiatorOf(event) }))
  const inserted = await appendTo(db, conversation, event, false)
  await updateConversation(db, conversation, {
    completedAt: latest(conversation.completedAt ?? inserted.sortAt, inserted.sortAt),
    ...(inserted.sortAt < conversation.startedAt && {
      startedAt: inserted.sortAt,
      initiatedBy: initiatorOf(event),
    }),
    lastActivityAt: latest(conversation.lastActivityAt, inserted.sortAt),
  })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: inserted.id })
}

/**
 * The history conversation within a day of the message, so that one exchange does not become a hundred
 * conversations. A message between two of them makes them one: the result does not depend on the order of
 * arrival.
 */
async function mergeNear(
  db: Tx,
  { instanceId, contactId, at }: { instanceId: number; contactId: number; at: Date },
): Promise<Locked | undefined> {
  const near = await lockConversations(
    db,
    and(
      eq(conversations.contactId, contactId),
      eq(conversations.instanceId, instanceId),
      eq(conversations.isHistory, true),
      isNull(conversations.notes),
      sql`${at.toISOString()}::timestamptz between ${conversations.startedAt} - interval '1 day'
                                              and ${conversations.completedAt} + interval '1 day'`,
    ),
  )
  return mergeAll(db, near)
}

/** Merges history conversations into the first of them. */
async function mergeAll(db: Tx, all: Locked[]): Promise<Locked | undefined> {
  const [first, ...others] = all
  if (!first || others.length === 0) return first
  const otherIds = others.map((other) => other.id)
  await db
    .update(messages)
    .set({ conversationId: first.id })
    .where(inArray(messages.conversationId, otherIds))
  await db.delete(conversations).where(inArray(conversations.id, otherIds))
  await recount(db, first.id)
  await notifyQuotingAny(db, first)
  // Screens that show one of them show that it is gone, or has grown.
  for (const id of [first.id, ...otherIds]) db.emit({ type: 'conversation_updated', conversationId: id })
  const { startedAt, initiatedBy } = all.reduce((a, b) => (b.startedAt < a.startedAt ? b : a))
  return updateConversation(db, first, {
    startedAt,
    initiatedBy,
    completedAt: new Date(Math.max(...all.map((one) => endOf(one)))),
    lastActivityAt: new Date(Math.max(...all.map((one) => one.lastActivityAt.getTime()))),
  })
}

const endOf = (one: Locked) => (one.completedAt ?? one.startedAt).getTime()

/** Merges the history of two contacts that have become one, as if all of it had arrived for this one. */
export async function mergeHistory(db: Tx, contactId: number): Promise<void> {
  const locked = await lockConversations(
    db,
    and(
      eq(conversations.contactId, contactId),
      eq(conversations.isHistory, true),
      isNull(conversations.notes),
    ),
  )
  const inOrder = locked.toSorted(
    (a, b) => a.instanceId - b.instanceId || a.startedAt.getTime() - b.startedAt.getTime() || a.id - b.id,
  )
  let near: Locked[] = []
  for (const one of inOrder) {
    const isNear = near.some(
      (other) => other.instanceId === one.instanceId && one.startedAt.getTime() <= endOf(other) + dayMs,
    )
    if (!isNear) {
      await mergeAll(db, near)
      near = []
    }
    near.push(one)
  }
  await mergeAll(db, near)
}

const dayMs = 86_400_000

const initiatorOf = (event: IncomingMessage) => (event.origin === 'contact' ? 'contact' : 'operator')

async function insertHistory(
  db: Tx,
  { at, ...values }: Pick<Locked, 'instanceId' | 'contactId' | 'initiatedBy'> & { at: Date },
): Promise<Locked> {
  const made = await insertConversation(db, {
    ...values,
    status: 'completed',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    isHistory: true,
    startedAt: at,
    completedAt: at,
    lastActivityAt: at,
  })
  if (!made) throw new Error('history not written')
  return made
}

/**
 * Moves messages from history into the conversation that a contact's message begins: they were written on the
 * connected phone after that message, but arrived before it.
 */
export async function adoptPhoneMessages(db: Tx, conversation: Locked, after: Date): Promise<void> {
  const { id, contactId, instanceId } = conversation
  const adopted = await rows<{ from: number }>(
    db,
    sql`update messages m set conversation_id = ${id}
          from (select m.id, h.id as "from" from messages m join conversations h on h.id = m.conversation_id
                 where h.contact_id = ${contactId} and h.instance_id = ${instanceId} and h.is_history
                   and m.sender_type = 'user' and m.message_type <> 'note'
                   and m.sent_at > ${after.toISOString()}::timestamptz
                 order by h.id for update of h) later
         where m.id = later.id returning later."from"`,
  )
  if (adopted.length === 0) return
  for (const from of new Set(adopted.map((row) => row.from))) await recountOrDelete(db, from)
  await recount(db, id)
  await notifyQuotingAny(db, conversation)
}

/** Deletes the copy of a message that the history sync brought before the message itself arrived. */
export async function removeFromHistory(
  db: Tx,
  message: { id: number; conversationId: number },
): Promise<void> {
  await db.delete(messages).where(eq(messages.id, message.id))
  await recountOrDelete(db, message.conversationId)
}

/** Recounts a history conversation that has lost messages, or deletes it when none is left. */
async function recountOrDelete(db: Tx, conversationId: number): Promise<void> {
  db.emit({ type: 'conversation_updated', conversationId })
  const [left] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
    .limit(1)
  if (left) return recount(db, conversationId)
  await db.delete(conversations).where(eq(conversations.id, conversationId))
}

export function latest(a: Date, b: Date): Date {
  return a > b ? a : b
}
