import { and, desc, eq, inArray, min } from 'drizzle-orm'
import { enterQueue } from '#server/automation/automation.ts'
import { contactOf, holdContact, identitiesOf } from '#server/contacts/contacts.ts'
import { type GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { appendArrived, historyAfterMs, recoveredAfterMs } from '#server/conversations/messages/append.ts'
import { applyPending, findInFlight, recordSent } from '#server/conversations/messages/delivery.ts'
import { greet } from '#server/conversations/automatic/greeting.ts'
import {
  keepForChoice,
  listUndecided,
  openUndecided,
} from '#server/conversations/automatic/pre-attendance.ts'
import { takeRating } from '#server/conversations/automatic/ratings.ts'
import { isSecondCopy } from '#server/conversations/messages/duplicates.ts'
import { forgetEcho, isForgotten } from '#server/conversations/messages/tombstones.ts'
import { adoptPhoneMessages, keepAsHistory, latest, takeFromHistory } from './history.ts'
import { mergeContacts } from './merge.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import { type Locked, lockOpenConversation, lockConversations } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

export type Arrived = Extract<GatewayEvent, { kind: 'message' }>

/**
 * Takes in a message that the gateway reports: a contact's, one written on the connected phone, or the echo of our own.
 * All of it happens in the open transaction; a second time it changes nothing.
 * @see decisions §3 Conversation
 */
export async function receiveMessage(db: Tx, instanceId: number, event: Arrived): Promise<void> {
  if ((await meetAgain(db, instanceId, event)) === 'done') return
  const contact = await contactOf(db, { ...event.peer, name: event.name, namedAt: event.sentAt })
  const isBlocked =
    contact.otherId === undefined ? contact.isBlocked : await mergeContacts(db, contact.id, contact.otherId)
  if (isBlocked) return
  // Asked again under the contact's lock: the same message may have come as phone and as LID at once.
  const kept = await meetAgain(db, instanceId, event)
  if (kept === 'done' || (!kept && (await isForgotten(db, instanceId, event.waId)))) return
  if (kept) await takeFromHistory(db, kept)
  if (event.origin === 'contact') await receiveFromContact(db, instanceId, contact.id, event)
  else await receiveOwn(db, instanceId, contact.id, event)
  await applyPending(db, instanceId, event.waId)
}

interface Known {
  id: number
  conversationId: number
  contactId: number
  isHistory: boolean
  senderType: 'contact' | 'user'
  content: string
  sentAt: Date
}

async function findKnown(db: Db, instanceId: number, waId: string): Promise<Known | undefined> {
  const [found] = await db
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      contactId: conversations.contactId,
      isHistory: conversations.isHistory,
      senderType: messages.senderType,
      content: messages.content,
      sentAt: messages.sentAt,
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.instanceId, instanceId), eq(messages.whatsappMessageId, waId)))
  return found
}

/**
 * A message that we have: its id is all that counts, under whichever address it comes.
 * @returns what the sync of the past kept when it was quicker than the message itself, of which nobody has been told
 */
async function meetAgain(db: Tx, instanceId: number, event: Arrived): Promise<'done' | Known | undefined> {
  const known = await findKnown(db, instanceId, event.waId)
  if (!known) return undefined
  await learnAddress(db, known, event)
  const isLive = event.origin === 'contact' && !event.isHistory
  const isDone = !known.isHistory || !isLive || (await ageOf(db, event)) > historyAfterMs
  return isDone ? 'done' : known
}

/**
 * The same message under a telephone's address and under a LID says that both are one person. It has to be the same
 * message in every respect, since whoever knows an id must not become somebody else by it.
 */
async function learnAddress(db: Tx, known: Known, { peer, ...event }: Arrived): Promise<void> {
  const isSame = event.sentAt?.getTime() === known.sentAt.getTime() && event.content.content === known.content
  if (!isSame || (peer.phone !== undefined && peer.lid !== undefined)) return
  const { phone, lid } = await identitiesOf(db, known.contactId)
  const isNew = peer.lid !== undefined ? phone !== undefined && lid === undefined : phone === undefined
  if (!isNew) return
  const both = { phone: peer.phone ?? phone, lid: peer.lid ?? lid, jid: peer.jid }
  const joined = await contactOf(db, { ...both, name: undefined })
  if (joined.otherId !== undefined) await mergeContacts(db, joined.id, joined.otherId)
}

async function ageOf(db: Db, event: Arrived): Promise<number> {
  if (event.isHistory) return Number.POSITIVE_INFINITY
  if (!event.sentAt) return 0
  return (await appNow(db)).getTime() - event.sentAt.getTime()
}

async function receiveFromContact(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: Arrived,
): Promise<void> {
  const age = await ageOf(db, event)
  if (age > historyAfterMs) return keepAsHistory(db, instanceId, contactId, event)
  const isRecovered = age > recoveredAfterMs
  const settings = await getSettings(db)
  const now = await appNow(db)
  const open = await lockOpenConversation(db, contactId, instanceId)
  if (!open && (await takeRating(db, instanceId, contactId, { event, isRecovered }))) return
  const choice = await keepForChoice(db, {
    instanceId,
    contactId,
    open,
    event,
    isRecovered,
    settings,
    now,
  })
  if (choice.kind === 'kept') {
    if (choice.opened) await openForQueue(db, choice.opened)
    return
  }
  const isNew = !open
  const conversation =
    choice.kind === 'opened' ? choice.conversation : (open ?? (await openFor(db, instanceId, contactId)))
  const inserted =
    choice.kind === 'opened' ? choice.inserted : await appendArrived(db, conversation, event, isRecovered)
  if (isNew || inserted.sortAt < conversation.startedAt)
    await adoptPhoneMessages(db, conversation, event.sentAt ?? inserted.now)
  const changed = await updateConversation(db, conversation, {
    ...(await waitingOf(db, conversation.id)),
    // Who wrote while we were down has waited since then.
    ...(inserted.sortAt < conversation.startedAt &&
      conversation.preAttendanceStage === null && { startedAt: inserted.sortAt }),
    lastActivityAt: latest(conversation.lastActivityAt, inserted.sortAt),
  })
  const isWaiting = changed.waitingFor === 'operator'
  if (isNew) {
    const type = isRecovered || !isWaiting ? 'new_conversation' : 'new_conversation_with_sound'
    await tellOpened(db, changed, type)
  }
  db.emit({ type: 'message_received', conversationId: changed.id, messageId: inserted.id })
  if (changed.assignedUserId !== null)
    db.emit({
      type: 'customer_message_notification',
      userId: changed.assignedUserId,
      conversationId: changed.id,
      messageId: inserted.id,
    })
  if (
    open?.subStatus === 'FILA' &&
    (open.waitingFor !== changed.waitingFor || inserted.sortAt < open.startedAt)
  )
    db.emit({ type: 'queue_changed' })
  if (!isRecovered && isWaiting) await greet(db, changed, { settings, event, isNew, now })
}

/** Who has not chosen for a day goes into the FILA: nothing that a client wrote is dropped. */
export async function endUndecided(database: Database): Promise<void> {
  for (const { contactId, conversationId } of await listUndecided(database))
    await inTransaction(database, async (db) => {
      await holdContact(db, contactId)
      const conversation = await openUndecided(db, conversationId)
      if (conversation) await openForQueue(db, conversation)
    })
}

async function openForQueue(db: Tx, conversation: Locked): Promise<void> {
  const changed = await updateConversation(db, conversation, await waitingOf(db, conversation.id))
  await tellOpened(db, changed, 'new_conversation')
}

async function tellOpened(
  db: Tx,
  conversation: Locked,
  type: 'new_conversation' | 'new_conversation_with_sound',
): Promise<void> {
  db.emit({ type, conversationId: conversation.id })
  await enterQueue(db, conversation)
}

/** A new conversation, or the one that somebody opened at this moment. */
async function openFor(db: Tx, instanceId: number, contactId: number): Promise<Locked> {
  const made = await insertConversation(db, { instanceId, contactId, initiatedBy: 'contact' })
  const conversation = made ?? (await lockOpenConversation(db, contactId, instanceId))
  if (!conversation) throw new Error('a conversation was neither made nor found')
  return conversation
}

/** Ours, by the gateway's account: an echo of what the outbox sends, or something written on the phone itself. */
async function receiveOwn(db: Tx, instanceId: number, contactId: number, event: Arrived): Promise<void> {
  const candidates = await lockLatestConversations(db, instanceId, contactId)
  // The gateway's answer may have named it while we waited for the lock.
  if (await findKnown(db, instanceId, event.waId)) return
  const inFlight = await findInFlight(db, candidates, event.content)
  if (inFlight) return recordSent(db, inFlight.messageId, event.waId)
  if ((await isSecondCopy(db, candidates, event)) || (await forgetEcho(db, contactId, event))) return
  const open = await lockOpenConversation(db, contactId, instanceId)
  if (!open || !(await belongsTo(db, open, event))) return keepAsHistory(db, instanceId, contactId, event)
  const inserted = await appendArrived(db, open, event, false)
  const changed = await updateConversation(db, open, {
    ...(open.waitingFor === 'operator' && (await waitingOf(db, open.id))),
    lastActivityAt: latest(open.lastActivityAt, inserted.sortAt),
  })
  db.emit({ type: 'new_message', conversationId: open.id, messageId: inserted.id })
  if (open.subStatus === 'FILA' && changed.waitingFor !== open.waitingFor) db.emit({ type: 'queue_changed' })
}

/** Our clock and WhatsApp's may differ by so much. */
const clockSlackMs = 60_000

/** Whether the conversation was already open when this was written, by the clock of those who wrote. */
async function belongsTo(db: Db, open: Locked, event: Arrived): Promise<boolean> {
  if (!event.sentAt) return true
  const [first] = await db
    .select({ sentAt: min(messages.sentAt) })
    .from(messages)
    .where(eq(messages.conversationId, open.id))
  // What an operator began has our clock, what a contact began has the gateway's.
  const slack = open.initiatedBy === 'operator' ? clockSlackMs : 0
  return !first?.sentAt || event.sentAt.getTime() + slack >= first.sentAt.getTime()
}

/** The conversations that an echo may belong to, in the order of ids, as everybody locks. */
async function lockLatestConversations(db: Tx, instanceId: number, contactId: number): Promise<number[]> {
  const latestFew = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), eq(conversations.instanceId, instanceId)))
    .orderBy(desc(conversations.id))
    .limit(5)
  const locked = await lockConversations(db, inArray(conversations.id, latestFew))
  return locked.map((row) => row.id)
}
