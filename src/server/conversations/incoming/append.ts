import { enterQueue, registerInQueue } from '#server/automation/automation.ts'
import { tellFollowers } from '#server/notifications/notifications.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { greet, mayBeGreeted } from '#server/conversations/automatic/greeting.ts'
import type { OpenedByChoice } from '#server/conversations/automatic/pre-attendance.ts'
import { appendIncoming } from '#server/conversations/messages/append.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { closeSnooze, updateConversation } from '#server/conversations/store/change.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { insertConversations, noteAct } from '#server/conversations/store/write.ts'
import type { Append, Choose } from './decide.ts'
import type { Gathered } from './facts.ts'
import { adoptPhoneMessages, latest } from './history.ts'

/** A contact's message that is to be appended. */
export interface ToAppend extends Gathered {
  verdict: Append
}

/** A contact's message in its conversation. */
export interface Appended extends ToAppend {
  messageId: number
  /** As it is with the message. */
  conversation: Locked
}

/**
 * Appends messages of contacts, each of another one, to their open conversations or to new ones, with a few
 * statements for all of them. Nothing is emitted yet.
 * @returns those that were written: one is missing when its contact's conversation was opened in the meantime
 */
export async function appendMessages<Message extends ToAppend>(
  db: Tx,
  instanceId: number,
  many: readonly Message[],
): Promise<(Message & Appended)[]> {
  const opened = await openConversations(db, instanceId, many)
  const ready = many.flatMap((one) => {
    const conversation = one.open ?? opened.get(one.contactId)
    return conversation ? [{ ...one, conversation }] : []
  })
  const ids = await appendIncoming(
    db,
    ready.map(({ conversation, event, verdict }) => ({
      conversation,
      event,
      place: verdict.place,
      isRecovered: verdict.isRecovered,
      isActivity: true,
      startsWaiting: !verdict.needsWaiting,
    })),
  )
  return ready.map((one, n) => {
    const messageId = ids[n]
    if (messageId === undefined) throw new Error('message not written')
    return { ...one, messageId, conversation: withMessage(one, messageId) }
  })
}

/** Opens the conversations that are missing, and registers them in the queue. @returns them by contact */
async function openConversations(
  db: Tx,
  instanceId: number,
  many: readonly ToAppend[],
): Promise<Map<number, Locked>> {
  const opened = await insertConversations(
    db,
    many
      .filter(({ verdict }) => verdict.opens)
      .map(({ contactId, facts: { now, newSectorId }, verdict: { place } }) => ({
        instanceId,
        contactId,
        sectorId: newSectorId,
        initiatedBy: 'contact' as const,
        // A contact who wrote while the server was down has waited since then.
        ...(place.sortAt < now && { startedAt: place.sortAt }),
      })),
  )
  await registerInQueue(db, opened)
  return new Map(opened.map((conversation) => [conversation.contactId, conversation]))
}

/** The conversation as `appendIncoming` leaves it. */
function withMessage(
  { conversation, verdict: { place, needsWaiting } }: ToAppend & { conversation: Locked },
  messageId: number,
): Locked {
  return {
    ...conversation,
    ...(!needsWaiting && {
      waitingFor: 'operator',
      waitingSince: conversation.waitingSince ?? place.sortAt,
    }),
    lastActivityAt: latest(conversation.lastActivityAt, place.sortAt),
    lastMessageId: place.isNewest ? messageId : conversation.lastMessageId,
  }
}

/**
 * Does what a message brings about beside itself: who waits now, where the conversation begins, what answers
 * it.
 */
export async function finishAppended(db: Tx, appended: Appended): Promise<void> {
  const { event, facts, open, verdict } = appended
  if (verdict.adoptsPhoneMessages)
    await adoptPhoneMessages(db, appended.conversation, event.sentAt ?? facts.now)
  const isBack = open !== undefined && isSnoozed(open)
  if (isBack) await closeSnooze(db, open, 'client')
  const conversation =
    verdict.needsWaiting || verdict.movesStart
      ? await updateConversation(db, appended.conversation, {
          ...(isBack && { snoozedUntil: null }),
          ...(await waitingOf(db, appended.conversation.id, facts.settings)),
          ...(verdict.movesStart && { startedAt: verdict.place.sortAt }),
          lastActivityAt: appended.conversation.lastActivityAt,
        })
      : appended.conversation
  await notifyAppended(db, { ...appended, conversation })
  if (isBack) await noteReturn(db, conversation)
  if (open?.inactivityWarnedAt) await withdrawTexts(db, open, 'client wrote')
  if (verdict.mayBeGreeted && conversation.waitingFor === 'operator')
    await greet(db, conversation, { settings: facts.settings, event, isFirst: !open, now: facts.now })
}

/** A conversation on hold is back, since its client has written: in the FILA it is queued from now on. */
async function noteReturn(db: Tx, conversation: Locked): Promise<void> {
  if (conversation.subStatus === 'FILA') await enterQueue(db, conversation)
  const content = conversation.snoozeReason ?? ''
  await noteAct(db, conversation, { by: null, act: 'snooze_answered', content })
}

/**
 * The same for a message that opened its conversation by a choice, or is in one that an earlier choice
 * opened.
 */
export async function finishChosen(
  db: Tx,
  gathered: Gathered,
  verdict: Choose,
  { conversation, message: { id, sortAt } }: OpenedByChoice,
): Promise<void> {
  const { open, event } = gathered
  // The sector is the one that was chosen.
  const known = open ? open.sectorId : gathered.facts.newSectorId
  const facts =
    conversation.sectorId === known
      ? gathered.facts
      : {
          ...gathered.facts,
          settings: await settingsOfNumber(db, conversation.instanceId, conversation.sectorId),
        }
  if (!open) await registerInQueue(db, [conversation])
  await finishAppended(db, {
    ...gathered,
    facts,
    messageId: id,
    conversation: { ...conversation, lastActivityAt: latest(conversation.lastActivityAt, sortAt) },
    verdict: {
      ...verdict,
      kind: 'append',
      opens: !open,
      place: { sentAt: event.sentAt ?? facts.now, sortAt, isNewest: false },
      adoptsPhoneMessages: !open || sortAt < conversation.startedAt,
      movesStart: false,
      needsWaiting: true,
      mayBeGreeted:
        !verdict.isRecovered && mayBeGreeted(facts.settings, event, { isFirst: !open, now: facts.now }),
    },
  })
}

/** Emits that a message was appended, and what it changed, and tells those who follow the conversation. */
export async function notifyAppended(
  db: Tx,
  { conversation, messageId, open, verdict, isFollowed }: Appended,
): Promise<void> {
  const { id: conversationId, assignedUserId, waitingFor } = conversation
  if (!open) {
    const isLoud = !verdict.isRecovered && waitingFor === 'operator'
    db.emit({ type: isLoud ? 'new_conversation_with_sound' : 'new_conversation', conversationId })
    db.emit({ type: 'queue_changed' })
  }
  db.emit({ type: 'message_received', conversationId, messageId })
  if (assignedUserId !== null)
    db.emit({ type: 'customer_message_notification', userId: assignedUserId, conversationId, messageId })
  if (open?.subStatus === 'FILA' && (open.waitingFor !== waitingFor || verdict.place.sortAt < open.startedAt))
    db.emit({ type: 'queue_changed' })
  if (isFollowed) await tellFollowers(db, { conversationId, messageId, byId: null })
}
