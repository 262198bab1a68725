import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { appendArrived } from '#server/conversations/messages/append.ts'
import { insertConversation, recount } from '#server/conversations/store/write.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

type Arrived = Extract<GatewayEvent, { kind: 'message' }>

/** Kept so that history is whole, in a conversation that is completed at once: nobody is queued, nothing rings. */
export async function keepAsHistory(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<void> {
  const at = event.sentAt ?? (await appNow(db))
  const conversation =
    (await joinNear(db, { instanceId, contactId, at })) ??
    (await begin(db, { instanceId, contactId, at, initiatedBy: initiatorOf(event) }))
  const inserted = await appendArrived(db, conversation, event, false)
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
 * The kept conversation within a day of the message, so that one talk does not become a hundred. A message that stands
 * between two makes them one: what is kept does not depend on the order in which it came.
 */
async function joinNear(
  db: Tx,
  { instanceId, contactId, at }: { instanceId: number; contactId: number; at: Date },
): Promise<Locked | undefined> {
  const found = await lockConversations(
    db,
    and(
      eq(conversations.contactId, contactId),
      eq(conversations.instanceId, instanceId),
      eq(conversations.isHistory, true),
      isNull(conversations.notes),
      sql`${at.toISOString()}::timestamptz between ${conversations.startedAt} - interval '1 day' and ${conversations.completedAt} + interval '1 day'`,
    ),
  )
  return unite(db, found)
}

/** Makes kept conversations one, under the first of them. */
async function unite(db: Tx, kept: Locked[]): Promise<Locked | undefined> {
  const [first, ...others] = kept
  if (!first || others.length === 0) return first
  const otherIds = others.map((other) => other.id)
  await db
    .update(messages)
    .set({ conversationId: first.id })
    .where(inArray(messages.conversationId, otherIds))
  await db.delete(conversations).where(inArray(conversations.id, otherIds))
  await recount(db, first.id)
  // Whoever looks at one of them sees that it is gone, or has grown.
  for (const id of [first.id, ...otherIds]) db.emit({ type: 'conversation_updated', conversationId: id })
  const { startedAt, initiatedBy } = kept.reduce((a, b) => (b.startedAt < a.startedAt ? b : a))
  return updateConversation(db, first, {
    startedAt,
    initiatedBy,
    completedAt: new Date(Math.max(...kept.map((one) => endOf(one)))),
    lastActivityAt: new Date(Math.max(...kept.map((one) => one.lastActivityAt.getTime()))),
  })
}

const endOf = (one: Locked) => (one.completedAt ?? one.startedAt).getTime()

/** What two contacts kept, now that they are one: as if it had always come for this one. */
export async function uniteHistory(db: Tx, contactId: number): Promise<void> {
  const locked = await lockConversations(
    db,
    and(
      eq(conversations.contactId, contactId),
      eq(conversations.isHistory, true),
      isNull(conversations.notes),
    ),
  )
  const found = locked.toSorted(
    (a, b) => a.instanceId - b.instanceId || a.startedAt.getTime() - b.startedAt.getTime() || a.id - b.id,
  )
  let near: Locked[] = []
  for (const one of found) {
    const isNear = near.some(
      (other) => other.instanceId === one.instanceId && one.startedAt.getTime() <= endOf(other) + dayMs,
    )
    if (!isNear) {
      await unite(db, near)
      near = []
    }
    near.push(one)
  }
  await unite(db, near)
}

const dayMs = 86_400_000

const initiatorOf = (event: Arrived) => (event.origin === 'contact' ? 'contact' : 'operator')

async function begin(
  db: Tx,
  { at, ...kept }: Pick<Locked, 'instanceId' | 'contactId' | 'initiatedBy'> & { at: Date },
): Promise<Locked> {
  const made = await insertConversation(db, {
    ...kept,
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
 * Brings what was written on the connected phone after the client's message, but reached us before it, into the
 * conversation that this message begins.
 */
export async function adoptPhoneMessages(db: Tx, conversation: Locked, after: Date): Promise<void> {
  const adopted = await rows<{ from: number }>(
    db,
    sql`update messages m set conversation_id = ${conversation.id}
          from (select m.id, h.id as "from" from messages m join conversations h on h.id = m.conversation_id
                 where h.contact_id = ${conversation.contactId} and h.instance_id = ${conversation.instanceId}
                   and h.is_history and m.sender_type = 'user' and m.sent_at > ${after.toISOString()}::timestamptz
                   for update of h) kept
         where m.id = kept.id returning kept."from"`,
  )
  if (adopted.length === 0) return
  for (const from of new Set(adopted.map((row) => row.from))) await endOrRecount(db, from)
  await recount(db, conversation.id)
}

/** What a contact wrote and the sync of the past brought before it came itself. */
export async function takeFromHistory(
  db: Tx,
  message: { id: number; conversationId: number },
): Promise<void> {
  await db.delete(messages).where(eq(messages.id, message.id))
  await endOrRecount(db, message.conversationId)
}

/** A kept conversation that lost its last message is no conversation. */
async function endOrRecount(db: Tx, conversationId: number): Promise<void> {
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
