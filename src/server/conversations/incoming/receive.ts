import { contactOf, lockKnown } from '#server/contacts/contacts.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { keepOpen } from '#server/conversations/acts/undo-finalize.ts'
import { openAnswered, storeForChoice } from '#server/conversations/automatic/pre-attendance.ts'
import { storeRating } from '#server/conversations/automatic/ratings.ts'
import { storeThanks } from '#server/conversations/automatic/thanks.ts'
import { cancelAnswered } from '#server/conversations/scheduled/answered.ts'
import { applyPending } from '#server/conversations/messages/changes.ts'
import { noteDuplicate } from '#server/conversations/messages/duplicates.ts'
import { confirmDeleted } from '#server/conversations/messages/tombstones.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { withdrawClosing } from '#server/conversations/store/texts.ts'
import { lockConversationsOf } from '#server/conversations/store/lock.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { appendMessages, finishAppended, finishChosen } from './append.ts'
import { decideContact, decideOwn, decideStored, isOfPast } from './decide.ts'
import { gatherFacts } from './facts.ts'
import { removeFromHistory, storeAsHistory } from './history.ts'
import { mergeContacts } from './merge.ts'
import { appendOwn, confirmByEcho, gatherOwnFacts } from './own.ts'
import { findSeen, learnAddress, type Seen, identityOf } from './stored-message.ts'

/**
 * Receives a message that the gateway reports: a contact's, one written on the connected phone, or the echo
 * of our own. The contact is locked, then what is known of the message is gathered, decided upon and written,
 * in the open transaction. Idempotent.
 * @see batch.ts for many at once
 * @see decisions §3 Conversation
 */
export async function receiveMessage(db: Tx, instanceId: number, event: IncomingMessage): Promise<void> {
  const [seen] = await findSeen(db, instanceId, [event])
  if (!seen) return
  if (seen.stored) {
    const { learnsAddress, isFirstLive } = decideStored(event, seen.stored, seen.now)
    if (learnsAddress) await learnAddress(db, seen.stored, event.peer)
    if (!isFirstLive) return
  }
  const contact = await lockContact(db, event, seen)
  if (contact.isBlocked) return
  await lockPast(db, instanceId, contact.id, event, seen)
  if (event.origin !== 'contact') return receiveOwn(db, instanceId, contact.id, event)
  let isDone = false
  while (!isDone) isDone = await receiveFromContact(db, instanceId, contact.id, event)
}

/** Finds or makes the contact, locks them, and merges two contacts that turn out to be one. */
async function lockContact(
  db: Tx,
  event: IncomingMessage,
  { isContactKnown }: Seen,
): Promise<{ id: number; isBlocked: boolean }> {
  const identity = identityOf(event)
  // Fewer statements; but for a new address `contactOf` must lock the address before the contact.
  const [known] = isContactKnown ? await lockKnown(db, [identity]) : []
  if (known) return known
  const { id, isBlocked, otherId } = await contactOf(db, identity)
  return { id, isBlocked: otherId === undefined ? isBlocked : await mergeContacts(db, id, otherId) }
}

/**
 * Locks every conversation of a contact whose past the message belongs to, or is taken out of. One after the
 * other, as this message and the next lead to them, they would not come in the order of their ids.
 */
async function lockPast(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: IncomingMessage,
  { stored, now }: Seen,
): Promise<void> {
  if (isOfPast(event, now) || stored?.isHistory) await lockConversationsOf(db, contactId, instanceId)
}

/**
 * @returns whether it is done; if not, its conversation was opened in the meantime, or goes on, and it must
 * be decided again
 */
async function receiveFromContact(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: IncomingMessage,
): Promise<boolean> {
  const [gathered] = await gatherFacts(db, instanceId, [{ contactId, event }])
  if (!gathered) throw new Error('a message without facts')
  const { facts, open, held, toRate, ended } = gathered
  const verdict = decideContact(facts)
  const beginsAnother = !open && (verdict.kind === 'append' || verdict.kind === 'choose')
  if (beginsAnother && held && (await keepOpen(db, held))) return false
  if (verdict.kind === 'ignore') return true
  if (verdict.kind === 'repeat') {
    if (verdict.learnsAddress) await learnAddress(db, verdict.stored, event.peer)
    return true
  }
  if (verdict.kind === 'history') await storeAsHistory(db, instanceId, contactId, event)
  else {
    const { isRecovered, replaces, endsRatingRequest } = verdict
    if (replaces) await removeFromHistory(db, replaces)
    if (endsRatingRequest && toRate) await updateConversation(db, toRate, { ratingAskedAt: null })
    if (beginsAnother && facts.hasClosing) await withdrawClosing(db, instanceId, contactId)
    if (verdict.kind === 'append') {
      const [appended] = await appendMessages(db, instanceId, [{ ...gathered, verdict }])
      if (!appended) return false
      await finishAppended(db, appended)
    } else if (verdict.kind === 'choose') {
      const { ofNumber: settings, now } = facts
      const given = { instanceId, contactId, open, event, isRecovered, settings, now }
      const opened = await storeForChoice(db, given)
      if (opened) await finishChosen(db, gathered, verdict, opened)
    } else if (verdict.kind === 'thank') {
      if (ended) await storeThanks(db, ended, { event, isRecovered })
    } else if (toRate) await storeRating(db, toRate, { event, isRecovered, rating: verdict.rating })
  }
  if (gathered.hasScheduled && (verdict.kind === 'append' || verdict.kind === 'choose'))
    await cancelAnswered(db, { contactId, instanceId, sentAt: event.sentAt })
  if (facts.hasPendingChanges) await applyPending(db, instanceId, event.waId)
  return true
}

/** Receives what was sent from our own number: by us, on the phone, or by another program. */
async function receiveOwn(
  db: Tx,
  instanceId: number,
  contactId: number,
  event: IncomingMessage,
): Promise<void> {
  let gathered = await gatherOwnFacts(db, instanceId, contactId, event)
  let verdict = decideOwn(gathered.facts)
  // Somebody answers on the phone: nobody has to choose any more.
  if (
    verdict.kind === 'history' &&
    !isOfPast(event, gathered.facts.now) &&
    (await openAnswered(db, gathered.candidates, event, gathered.facts.now))
  ) {
    gathered = await gatherOwnFacts(db, instanceId, contactId, event)
    verdict = decideOwn(gathered.facts)
  }
  const { facts, open, candidates } = gathered
  switch (verdict.kind) {
    case 'ignore':
      return
    case 'repeat':
      if (verdict.learnsAddress) await learnAddress(db, verdict.stored, event.peer)
      return
    case 'confirm':
      await confirmByEcho(db, candidates, verdict.messageId, {
        waId: event.waId,
        acceptedAt: event.sentAt,
      })
      break
    case 'duplicate':
      await noteDuplicate(db, verdict.messageId, event.waId)
      break
    case 'confirm-deleted':
      await confirmDeleted(db, verdict.messageId, event.waId)
      break
    case 'history':
      await storeAsHistory(db, instanceId, contactId, event)
      break
    case 'append-own':
      if (open) await appendOwn(db, open, event, verdict.place)
      break
  }
  if (facts.hasPendingChanges) await applyPending(db, instanceId, event.waId)
}
