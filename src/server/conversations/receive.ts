import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { contactOf } from '#server/contacts/contacts.ts'
import { type GatewayEvent } from '#server/gateway/gateway.ts'
import { type Db, type Emit, rows } from '#server/platform/db.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { applyPending, findInFlight, lockWaId, recordSent } from './delivery.ts'
import { mergeContacts } from './merge.ts'
import {
  enterQueue,
  insertConversation,
  insertMessage,
  type Inserted,
  type Locked,
  lockConversation,
  lockOpenConversation,
  updateConversation,
} from './write.ts'

type Arrived = Extract<GatewayEvent, { kind: 'message' }>

const minute = 60_000
const recoveredAfterMs = 2 * minute
const historyAfterMs = 24 * 60 * minute

/**
 * Takes in a message that the gateway reports: a contact's, one written on the connected phone, or the echo of our own.
 * All of it happens in the open transaction; a second time it changes nothing.
 * @see decisions §3 Conversation
 */
export async function receiveMessage(db: Db, emit: Emit, instanceId: number, event: Arrived): Promise<void> {
  if (await isKnown(db, instanceId, event.waId)) return
  const contact = await contactOf(db, { ...event.peer, name: event.name })
  if (contact.otherId !== undefined) await mergeContacts(db, emit, contact.id, contact.otherId)
  if (contact.isBlocked) return
  // Asked again under the contact's lock: the same message may have come as phone and as LID at once.
  if (await isKnown(db, instanceId, event.waId)) return
  if (event.origin === 'contact') await receiveFromContact(db, emit, instanceId, contact.id, event)
  else await receiveOwn(db, emit, instanceId, contact.id, event)
  await applyPending(db, emit, instanceId, event.waId)
}

async function isKnown(db: Db, instanceId: number, waId: string): Promise<boolean> {
  const [found] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.instanceId, instanceId), eq(messages.whatsappMessageId, waId)))
  return found !== undefined
}

async function ageOf(db: Db, event: Arrived): Promise<number> {
  if (event.isHistory) return Number.POSITIVE_INFINITY
  if (!event.sentAt) return 0
  const [clock] = await rows<{ now: string }>(db, sql`select app_now()::text as now`)
  return new Date(clock?.now ?? Date.now()).getTime() - event.sentAt.getTime()
}

async function receiveFromContact(
  db: Db,
  emit: Emit,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<void> {
  const age = await ageOf(db, event)
  if (age > historyAfterMs) return keepAsHistory(db, emit, instanceId, contactId, event)
  const isRecovered = age > recoveredAfterMs
  const open = await lockOpenConversation(db, contactId, instanceId)
  const conversation = open ?? (await openFor(db, instanceId, contactId))
  const inserted = await append(db, conversation, event, isRecovered)
  const isWaitingAlready = conversation.waitingFor === 'operator' && conversation.waitingSince !== null
  const changed = await updateConversation(db, conversation.id, {
    waitingFor: 'operator',
    waitingSince: isWaitingAlready ? conversation.waitingSince : inserted.sortAt,
    lastActivityAt: latest(conversation.lastActivityAt, inserted.sortAt),
  })
  if (!open) {
    emit({
      type: isRecovered ? 'new_conversation' : 'new_conversation_with_sound',
      conversationId: changed.id,
    })
    await enterQueue(db, emit, changed)
  }
  emit({ type: 'message_received', conversationId: changed.id, messageId: inserted.id })
  if (changed.assignedUserId !== null)
    emit({
      type: 'customer_message_notification',
      userId: changed.assignedUserId,
      conversationId: changed.id,
      messageId: inserted.id,
    })
  if (open?.subStatus === 'FILA' && open.waitingFor === 'client') emit({ type: 'queue_changed' })
}

/** A new conversation, or the one that somebody opened at this moment. */
async function openFor(db: Db, instanceId: number, contactId: number): Promise<Locked> {
  const made = await insertConversation(db, { instanceId, contactId, initiatedBy: 'contact' })
  const conversation = made ?? (await lockOpenConversation(db, contactId, instanceId))
  if (!conversation) throw new Error('a conversation was neither made nor found')
  return conversation
}

async function append(db: Db, conversation: Locked, event: Arrived, isRecovered: boolean): Promise<Inserted> {
  const { content } = event.content
  await lockWaId(db, conversation.instanceId, event.waId)
  const isOwn = event.origin !== 'contact'
  return insertMessage(db, conversation, {
    senderType: isOwn ? 'user' : 'contact',
    content,
    messageType: event.content.messageType,
    fileName: event.content.fileName ?? null,
    fileMimeType: event.content.mimeType ?? null,
    fileSize: event.content.sizeBytes ?? null,
    whatsappMessageId: event.waId,
    quotedWhatsappId: event.quoted?.waId ?? null,
    quotedContent: event.quoted?.content ?? null,
    sentAt: event.sentAt,
    deliveryStatus: isOwn ? 'sent' : null,
    metadata: {
      ...event.content.metadata,
      ...(isRecovered && { recovered: true }),
      ...(event.origin !== 'contact' && { origin: event.origin }),
    },
  })
}

/** Ours, by the gateway's account: an echo of what the outbox sends, or something written on the phone itself. */
async function receiveOwn(
  db: Db,
  emit: Emit,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<void> {
  const candidates = await lockLatestConversations(db, instanceId, contactId)
  // The gateway's answer may have named it while we waited for the lock.
  if (await isKnown(db, instanceId, event.waId)) return
  const inFlight = await findInFlight(db, candidates, event.content.content)
  if (inFlight) return recordSent(db, emit, inFlight.messageId, event.waId)
  const open = event.isHistory ? undefined : await lockOpenConversation(db, contactId, instanceId)
  if (!open) return keepAsHistory(db, emit, instanceId, contactId, event)
  const inserted = await append(db, open, event, false)
  const { phoneAnswersCount } = await getSettings(db)
  const wasQueued = open.subStatus === 'FILA' && open.waitingFor === 'operator'
  await updateConversation(db, open.id, {
    lastActivityAt: latest(open.lastActivityAt, inserted.sortAt),
    ...(phoneAnswersCount && { waitingFor: 'client', waitingSince: null }),
  })
  emit({ type: 'new_message', conversationId: open.id, messageId: inserted.id })
  if (phoneAnswersCount && wasQueued) emit({ type: 'queue_changed' })
}

/** The conversations that an echo may belong to, in the order of ids, as everybody locks. */
async function lockLatestConversations(db: Db, instanceId: number, contactId: number): Promise<number[]> {
  const latestFew = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), eq(conversations.instanceId, instanceId)))
    .orderBy(desc(conversations.id))
    .limit(5)
  const locked = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, latestFew))
    .orderBy(asc(conversations.id))
    .for('update')
  return locked.map((row) => row.id)
}

/** Kept so that history is whole, in a conversation that is completed at once: nobody is queued, nothing rings. */
async function keepAsHistory(
  db: Db,
  emit: Emit,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<void> {
  const conversation =
    (await lastHistory(db, instanceId, contactId, event)) ??
    (await newHistory(db, instanceId, contactId, event))
  const inserted = await append(db, conversation, event, false)
  await updateConversation(db, conversation.id, {
    completedAt: latest(conversation.completedAt ?? inserted.sortAt, inserted.sortAt),
    startedAt: inserted.sortAt < conversation.startedAt ? inserted.sortAt : conversation.startedAt,
    lastActivityAt: latest(conversation.lastActivityAt, inserted.sortAt),
  })
  emit({ type: 'new_message', conversationId: conversation.id, messageId: inserted.id })
}

/** The kept conversation within a day of the message, so that one talk does not become a hundred. */
async function lastHistory(
  db: Db,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<Locked | undefined> {
  const near = event.sentAt ?? new Date()
  const [found] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, contactId),
        eq(conversations.instanceId, instanceId),
        eq(conversations.status, 'completed'),
        sql`${conversations.assignedUserId} is null and ${conversations.notes} is null`,
        sql`${near.toISOString()}::timestamptz between ${conversations.startedAt} - interval '1 day' and ${conversations.completedAt} + interval '1 day'`,
      ),
    )
    .orderBy(desc(conversations.id))
    .limit(1)
  return found && lockConversation(db, found.id)
}

async function newHistory(db: Db, instanceId: number, contactId: number, event: Arrived): Promise<Locked> {
  const at = event.sentAt ?? new Date()
  const made = await insertConversation(db, {
    instanceId,
    contactId,
    initiatedBy: event.origin === 'contact' ? 'contact' : 'operator',
    status: 'completed',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    startedAt: at,
    completedAt: at,
    lastActivityAt: at,
  })
  if (!made) throw new Error('history not written')
  return made
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b
}
