import { lockKnown } from '#server/contacts/contacts.ts'
import type { GatewayEvent, IncomingMessage } from '#server/gateway/gateway.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { recordDeliveries } from '#server/conversations/messages/deliveries.ts'
import { cancelAnswered } from '#server/conversations/scheduled/answered.ts'
import { appendMessages, notifyAppended } from './append.ts'
import { type Append, type ContactFacts, type ContactVerdict, decideContact, decideStored } from './decide.ts'
import { type FromContact, gatherFacts } from './facts.ts'
import { findSeen, identityOf } from './stored-message.ts'

type Delivery = Extract<GatewayEvent, { kind: 'delivery' }>

/** An event at its place in the batch. */
interface At<Event> {
  n: number
  event: Event
}

interface Sorted {
  /** The places of events that change nothing. */
  done: number[]
  /** New messages of contacts. */
  messages: (At<IncomingMessage> & { isContactKnown: boolean })[]
  deliveries: (At<Delivery> & { conversationId: number })[]
}

/**
 * Handles many events at once, of different people: the plain ones among them (a known contact writes, a
 * delivery of a stored message, an echo of a stored message) with a few statements for all together. They are
 * decided by the same functions as in `receiveMessage`; what is not plain is left to that, since it may need
 * further locks.
 *
 * Locks are taken in the common order: contacts, conversations, ids of messages, each of them sorted.
 * @returns for each event whether it is done; nothing is written of the others
 */
export async function handleBatch(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]> {
  const { done, messages, deliveries } = await sortOut(db, instanceId, events)
  const isDone = events.map((_event, n) => done.includes(n))
  if (messages.length + deliveries.length === 0) return isDone
  const { blocked, received } = await lockContacts(db, messages)
  const conversationIds = deliveries.map(({ conversationId }) => conversationId)
  const gathered = await gatherFacts(db, instanceId, received, conversationIds)
  const plain = gathered.flatMap((one) => {
    const verdict = decideContact(one.facts)
    return isPlain(verdict, one.facts) && !one.held ? [{ ...one, verdict }] : []
  })
  const appended = await appendMessages(db, instanceId, plain)
  for (const one of appended) {
    await notifyAppended(db, one)
    if (one.hasScheduled)
      await cancelAnswered(db, { contactId: one.contactId, instanceId, sentAt: one.event.sentAt })
  }
  const areThere = await recordDeliveries(
    db,
    instanceId,
    deliveries.map(({ event }) => event),
  )
  const recorded = deliveries.filter((_delivery, index) => areThere[index])
  for (const { n } of [...blocked, ...appended, ...recorded]) isDone[n] = true
  return isDone
}

/** Finds by what is stored already which events may be plain. */
async function sortOut(db: Db, instanceId: number, events: GatewayEvent[]): Promise<Sorted> {
  const sorted: Sorted = { done: [], messages: [], deliveries: [] }
  const named = events.flatMap((event, n) => ('waId' in event ? [{ n, event }] : []))
  const seen = await findSeen(
    db,
    instanceId,
    named.map(({ event }) => ({ waId: event.waId, peer: event.kind === 'message' ? event.peer : undefined })),
  )
  const counts = Map.groupBy(named, ({ event }) => event.waId)
  for (const [n, event] of events.entries()) if (event.kind === 'ignored') sorted.done.push(n)
  for (const [index, { n, event }] of named.entries()) {
    const found = seen[index]
    const isOnce = counts.get(event.waId)?.length === 1
    if (!found) continue
    if (event.kind === 'message' && found.stored) {
      const { learnsAddress, isFirstLive } = decideStored(event, found.stored, found.now)
      if (!learnsAddress && !isFirstLive) sorted.done.push(n)
    } else if (event.kind === 'message') {
      if (event.origin === 'contact' && !event.isHistory && isOnce)
        sorted.messages.push({ n, event, isContactKnown: found.isContactKnown })
    } else if (event.kind === 'delivery' && found.stored && isOnce)
      sorted.deliveries.push({ n, event, conversationId: found.stored.conversationId })
  }
  return sorted
}

type Received = At<IncomingMessage> & FromContact

/**
 * Locks the known contacts, each for one message: of two messages of a contact the second is left for later.
 */
async function lockContacts(
  db: Db,
  messages: Sorted['messages'],
): Promise<{ blocked: At<IncomingMessage>[]; received: Received[] }> {
  const ofKnown = messages.filter(({ isContactKnown }) => isContactKnown)
  const contacts = await lockKnown(
    db,
    ofKnown.map(({ event }) => identityOf(event)),
  )
  const blocked: At<IncomingMessage>[] = []
  const received = new Map<number, Received>()
  for (const [index, { n, event }] of ofKnown.entries()) {
    const contact = contacts[index]
    if (contact?.isBlocked) blocked.push({ n, event })
    else if (contact && !received.has(contact.id))
      received.set(contact.id, { n, event, contactId: contact.id })
  }
  return { blocked, received: [...received.values()] }
}

/** Whether nothing but the message itself, and a conversation for it, must be written. */
export function isPlain(verdict: ContactVerdict, facts: ContactFacts): verdict is Append {
  return (
    verdict.kind === 'append' &&
    !facts.hasPendingChanges &&
    !facts.hasClosing &&
    !verdict.replaces &&
    !verdict.endsRatingRequest &&
    !verdict.adoptsPhoneMessages &&
    !verdict.movesStart &&
    !verdict.needsWaiting &&
    !verdict.mayBeGreeted &&
    // A warning that has not left may have to be withdrawn.
    !facts.open?.inactivityWarnedAt
  )
}
