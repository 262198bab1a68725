import { and, eq, gt, inArray, or } from 'drizzle-orm'
import { type ChoiceReply, invalidEveryMs, type MenuOffered, replayChoice } from '#shared/choice.ts'
import { withMenu } from '#shared/sectors/sector-menu.ts'
import { readMenu } from '#server/sectors/sectors.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { isOpen } from '#shared/settings/working-hours.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { preAttendanceTemp } from '#server/schema/conversations/queue.ts'
import { appendTo } from '#server/conversations/messages/append.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { lastSent, sendAutomatic } from '#server/conversations/store/texts.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import {
  attendedAttempt,
  insertAttempt,
  listChoiceMessages,
  listQuestions,
  listRepliesElsewhere,
  type StoredAttempt,
  storeAttempt,
  storeAttempts,
} from './choice-attempts.ts'
import { queueAttended } from './queue-attended.ts'

/** Whether contacts are asked before they enter the queue; without a question nobody can answer it. */
export const asksForChoice = (settings: SystemSettings): boolean =>
  settings.preAttendanceEnabled &&
  (settings.sectorMenuEnabled || !showsNothing(settings.preAttendanceMessage))

/** Whether contacts of a number are asked now: while it is open, or a sector is that they could choose. */
export async function isAsking(db: Db, instanceId: number, settings: SystemSettings, now: Date) {
  if (!asksForChoice(settings)) return false
  if (isOpen(settings, now) || !settings.sectorMenuEnabled) return isOpen(settings, now)
  return (await readMenu(db, instanceId, settings, now)).isOpen
}

/** A message of a contact who has to choose. */
export interface MessageForChoice {
  instanceId: number
  contactId: number
  /** Their open conversation, locked. */
  open: Locked | undefined
  event: IncomingMessage
  isRecovered: boolean
  settings: SystemSettings
  now: Date
}

/** A conversation that the choice has opened, with the message. */
export interface OpenedByChoice {
  conversation: Locked
  message: { id: number; sortAt: Date }
}

/**
 * Stores a message of a contact who has to choose first whether they are attended, under the contact's lock.
 * The choice is worked out anew from all messages, so that the order of arrival does not matter.
 * @returns the conversation that contains the message, if it is open now
 * @see decisions §3 Pre-attendance
 */
export async function storeForChoice(db: Tx, given: MessageForChoice): Promise<OpenedByChoice | undefined> {
  const { open, event, isRecovered, settings, now } = given
  const writtenAt = event.sentAt ?? now
  const locked = await lockForChoice(db, given, writtenAt)
  const message = await appendTo(db, locked[0], event, isRecovered)
  const ids = locked.map(({ id }) => id)
  const all = await listChoiceMessages(db, ids)
  const questions = await listQuestions(db, ids)
  // A menu that was sent is answered as it was, whatever is offered by now.
  const isMenu = settings.sectorMenuEnabled || questions.some((question) => question.menu)
  const menu = isMenu ? await readMenu(db, given.instanceId, settings, now) : undefined
  const attempts = asksForChoice(settings)
    ? replayChoice(
        all,
        settings.preAttendanceMessage,
        { replies: await listRepliesElsewhere(db, locked, writtenAt), questions },
        settings.preAttendanceMostInvalid,
        menu,
      )
    : [attendedAttempt(all, writtenAt)]
  const stored = await storeAttempts(db, locked, attempts)
  const own = stored.find(({ attempt }) => attempt.messages.some(({ id }) => id === message.id))
  if (!own) throw new Error('a message before a choice is in no attempt')
  if (own.attempt.stage === 'attend') return { conversation: own.conversation, message }
  db.emit({ type: 'new_message', conversationId: own.conversation.id, messageId: message.id })
  const { reply } = own.attempt
  const isAnswered = reply && own.attempt.messages.at(-1)?.id === message.id && !isRecovered
  if (isAnswered && (await mayReply(db, own.conversation.id, reply, now))) {
    const isSent = await sendAutomatic(db, own.conversation, reply, {
      settings,
      ...(menu && menu.options.length > 0 && textOfMenu(reply, menu, settings)),
    })
    // Of this contact it shows nothing: nobody would know that they have to choose.
    if (!isSent && reply === 'preAttendanceMessage') {
      const attended = attendedAttempt(own.attempt.messages, writtenAt)
      return { conversation: await storeAttempt(db, own.conversation, attended), message }
    }
  }
  if (open) await notifyChosenAgain(db, stored, open)
  const attended = stored.find(({ attempt }) => attempt.stage === 'attend')?.conversation
  if (attended && attended.id !== open?.id) await queueAttended(db, attended)
  return undefined
}

/** In place of the question, and of what is said to an answer that chooses nothing, the menu. */
function textOfMenu(reply: ChoiceReply, menu: MenuOffered, settings: SystemSettings) {
  if (reply === 'preAttendanceCancelMessage') return {}
  const isFirst = reply === 'preAttendanceMessage'
  return {
    written: withMenu(isFirst ? settings.sectorMenuMessage : settings.sectorMenuInvalidMessage, menu),
    ...(isFirst && {
      menu: [...menu.options.map(({ sectorId }) => sectorId), ...(menu.hasCancel ? [0] : [])],
    }),
  }
}

/**
 * The conversations that the message may change: those that wait for a choice, those that a later message
 * ended, and the open one; a new one where there is none.
 */
async function lockForChoice(
  db: Tx,
  { instanceId, contactId, open }: MessageForChoice,
  writtenAt: Date,
): Promise<readonly [Locked, ...Locked[]]> {
  const ofChoices = db
    .select({ id: preAttendanceTemp.conversationId })
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.contactId, contactId),
        eq(preAttendanceTemp.instanceId, instanceId),
        or(eq(preAttendanceTemp.stage, 'waiting_option'), gt(preAttendanceTemp.lastMessageAt, writtenAt)),
      ),
    )
  const [first, ...others] = [
    ...(await lockConversations(db, inArray(conversations.id, ofChoices))),
    ...(open ? [open] : []),
  ]
  return [first ?? (await insertAttempt(db, { instanceId, contactId }, writtenAt)), ...others]
}

/**
 * Opens the conversation that waits for a choice, because the contact is answered on the phone. So it does
 * with one that they cancelled only after that answer, which arrives late: their '2' answers the shop. What
 * they wrote since comes with it.
 * @param candidates the contact's locked conversations
 * @param answer what was written there, of today
 * @returns whether there was one that began before the answer
 */
export async function openAnswered(
  db: Tx,
  candidates: readonly Locked[],
  answer: IncomingMessage,
  now: Date,
): Promise<boolean> {
  const answeredAt = answer.sentAt ?? now
  const [first, ...others] = candidates.filter(
    ({ preAttendanceStage, completedAt }) =>
      preAttendanceStage === 'waiting_option' ||
      (preAttendanceStage === 'cancelled' && completedAt !== null && completedAt > answeredAt),
  )
  if (!first || candidates.some(({ status }) => status !== 'completed')) return false
  const all = await listChoiceMessages(db, [first.id, ...others.map(({ id }) => id)])
  const beganAt = all[0]?.writtenAt ?? now
  if (answeredAt < beganAt) return false
  const [opened] = await storeAttempts(db, [first, ...others], [attendedAttempt(all, beganAt)])
  if (opened) await queueAttended(db, opened.conversation)
  return opened !== undefined
}

/** Messages that had to wait arrive at once: nobody is notified twice in the same moment that they erred. */
async function mayReply(db: Db, conversationId: number, reply: ChoiceReply, now: Date): Promise<boolean> {
  if (reply !== 'preAttendanceInvalidMessage') return true
  const last = await lastSent(db, conversationId, 'preAttendanceInvalidMessage')
  return !last || now.getTime() - last.getTime() >= invalidEveryMs
}

/**
 * Whether a message may change the choice that opened a conversation: it was written before that choice, and
 * nobody has begun to answer the conversation. Pure.
 */
export const mayChooseAgain = (
  open: Pick<Locked, 'preAttendanceStage' | 'subStatus' | 'waitingSince' | 'assignedUserId' | 'startedAt'>,
  writtenAt: Date,
): boolean =>
  open.preAttendanceStage === 'attended' &&
  open.subStatus === 'FILA' &&
  open.waitingSince !== null &&
  open.assignedUserId === null &&
  writtenAt < open.startedAt

async function notifyChosenAgain(db: Tx, stored: StoredAttempt[], open: Locked): Promise<void> {
  const now = stored.find(({ conversation }) => conversation.id === open.id)
  if (now?.attempt.stage === 'attend') await updateConversation(db, open, await waitingOf(db, open.id))
  else await leaveQueue(db, open.id)
  db.emit({ type: 'conversation_updated', conversationId: open.id })
  db.emit({ type: 'queue_changed' })
}
