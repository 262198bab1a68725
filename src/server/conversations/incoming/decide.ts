import type { SystemSettings } from '#shared/settings/settings.ts'
import { mayBeGreeted } from '#server/conversations/automatic/greeting.ts'
import { asksForChoice, mayChooseAgain } from '#server/conversations/automatic/pre-attendance.ts'
import { type AskedRating, judgeRating, type Rating } from '#server/conversations/automatic/ratings.ts'
import { areThanks, type Ended } from '#server/conversations/automatic/thanks.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import {
  type MessagePlace,
  type Neighbours,
  placeAtOwnTime,
  placeMessage,
} from '#server/conversations/store/message-place.ts'
import type { StoredMessage } from './stored-message.ts'

// What becomes of a message, as pure functions of what `facts.ts` gathers of it under the locks; `receive.ts`
// carries the verdicts out.

/**
 * A message that arrives later than this, or that only the sweep brings, is recovered, and nothing sounds.
 * @see decisions §3
 */
const recoveredAfterMs = 2 * 60_000
/** A message older than this belongs to the past: it is stored, and nobody is queued. */
const historyAfterMs = 24 * 60 * 60_000
/** By how much our clock and WhatsApp's may differ. */
const clockSlackMs = 60_000

type OpenConversation = Pick<
  Locked,
  | 'startedAt'
  | 'preAttendanceStage'
  | 'subStatus'
  | 'waitingSince'
  | 'assignedUserId'
  | 'initiatedBy'
  | 'inactivityWarnedAt'
  | 'snoozedUntil'
>

interface CommonFacts extends Neighbours {
  event: IncomingMessage
  /** When the transaction began. */
  now: Date
  /** The message that is stored under the same id. */
  stored: StoredMessage | undefined
  /** A message of this id was deleted here. */
  isDeleted: boolean
  /** Changes of the message came before it. */
  hasPendingChanges: boolean
  /** The contact's open conversation at this number. */
  open: OpenConversation | undefined
}

export interface ContactFacts extends CommonFacts {
  settings: SystemSettings
  /** Of the number: they decide about the choice, before there is a sector. */
  ofNumber: SystemSettings
  /** Of the conversation that it opens; null: none, or one is open. */
  newSectorId: number | null
  /** The open conversation has an answer from the connected phone that is not older. */
  isAnsweredByPhone: boolean
  /** Messages sent on the phone after this one are stored as history. */
  hasLaterPhoneMessages: boolean
  /** The question for a rating that the contact has not given yet. */
  askedRating: AskedRating | undefined
  /** Of who was asked about, and of who had the ended conversation. */
  operatorNames: string[]
  /** The contact's latest conversation, if it ended within the hour. */
  ended: Ended | undefined
  /** Messages of the contact wait for their choice. */
  isChoosing: boolean
  /** What takes leave of them after an earlier conversation has not left. */
  hasClosing: boolean
  /** A choice is stored that they made after they wrote this. */
  hasLaterChoice: boolean
  /** Contacts of the number are asked now what they choose. */
  isAsking: boolean
}

/** Of a message sent from our own number. */
export interface OwnFacts extends CommonFacts {
  /** When the first message of the open conversation was sent. */
  firstSentAt: Date | undefined
  /** The outgoing message that is being sent and has the same content. */
  inFlightId: number | undefined
  /** The outgoing message that the gateway has sent twice. */
  copiedId: number | undefined
  /** The message with the same content that was deleted here while it was being sent. */
  deletedInFlightId: number | undefined
}

export interface Ignore {
  kind: 'ignore'
}

/** Another transaction has stored the same message meanwhile. */
export interface Repeat {
  kind: 'repeat'
  stored: StoredMessage
  learnsAddress: boolean
}

interface History {
  kind: 'history'
}

/** Of a contact's message that is not of the past. */
interface Live {
  isRecovered: boolean
  /** The same message, which the history sync brought before it arrived itself. */
  replaces: StoredMessage | undefined
  /** It is the first message since the contact was asked for a rating. */
  endsRatingRequest: boolean
}

/** The contact rates the conversation that has ended: no other one is opened. */
interface Rate extends Live {
  kind: 'rate'
  rating: Rating
}

/** It only thanks for the conversation that has just ended, and is put into that. */
interface Thank extends Live {
  kind: 'thank'
}

/** It waits, with what came before and after it, for the contact's choice. */
export interface Choose extends Live {
  kind: 'choose'
}

/** It goes into the open conversation, or opens one. */
export interface Append extends Live {
  kind: 'append'
  opens: boolean
  place: MessagePlace
  /** Messages that were sent on the phone after it come into the conversation as well. */
  adoptsPhoneMessages: boolean
  /** The open conversation now begins with it. */
  movesStart: boolean
  /** Who waits since when depends on more than this message. */
  needsWaiting: boolean
  /** An automatic text may answer it. */
  mayBeGreeted: boolean
}

/** The gateway has the outgoing message that was being sent. */
interface Confirm {
  kind: 'confirm'
  messageId: number
}

/** The gateway has sent an outgoing message twice. */
interface Duplicate {
  kind: 'duplicate'
  messageId: number
}

/** The gateway has an outgoing message that was deleted while it was being sent. */
interface ConfirmDeleted {
  kind: 'confirm-deleted'
  messageId: number
}

/** It was written on the connected phone, or by another program, and belongs to the open conversation. */
export interface AppendOwn {
  kind: 'append-own'
  place: MessagePlace
}

export type ContactVerdict = Ignore | Repeat | History | Rate | Thank | Choose | Append
export type OwnVerdict = Ignore | Repeat | History | Confirm | Duplicate | ConfirmDeleted | AppendOwn

/** How old a message of a contact is, in milliseconds. */
function ageOf(event: IncomingMessage, now: Date): number {
  if (event.isHistory) return Infinity
  return event.sentAt ? now.getTime() - event.sentAt.getTime() : 0
}

/** Whether a message of a contact belongs to the past. */
export const isOfPast = (event: IncomingMessage, now: Date): boolean => ageOf(event, now) > historyAfterMs

export interface SecondSighting {
  /** The address is new: sender and contact are one person. */
  learnsAddress: boolean
  /** Only the history sync has brought the message yet: now it arrives itself. */
  isFirstLive: boolean
}

/**
 * What a message that is stored already still brings. A message under a telephone number and again under a
 * LID says that both are one person. It must be the same in every respect, so that whoever knows an id cannot
 * pass for somebody else by it. With both addresses it says so by itself, if its contact is known by one of
 * them and has no other.
 */
export function decideStored(event: IncomingMessage, stored: StoredMessage, now: Date): SecondSighting {
  if (stored.isErased) return { learnsAddress: false, isFirstLive: false }
  const { phone, lid } = event.peer
  const isSame =
    event.sentAt?.getTime() === stored.sentAt.getTime() && event.content.content === stored.content
  const isNew =
    lid !== undefined ? stored.phone !== undefined && stored.lid === undefined : stored.phone === undefined
  const isLive = event.origin === 'contact' && !isOfPast(event, now)
  const isOfPair =
    stored.phone === undefined ? stored.lid === lid : stored.phone === phone && stored.lid === undefined
  return {
    learnsAddress: phone !== undefined && lid !== undefined ? isOfPair : isSame && isNew,
    isFirstLive: stored.isHistory && isLive,
  }
}

/** What is decided alike for every message: undefined when it is a new one. */
function decideKnown({ event, stored, isDeleted, now }: CommonFacts): Ignore | Repeat | undefined {
  if (!stored) return isDeleted ? { kind: 'ignore' } : undefined
  const { learnsAddress, isFirstLive } = decideStored(event, stored, now)
  return isFirstLive ? undefined : { kind: 'repeat', stored, learnsAddress }
}

/** What becomes of a contact's message. The contact is not blocked. @see decisions §3 */
export function decideContact(facts: ContactFacts): ContactVerdict {
  const { event, now, open, settings, askedRating, operatorNames, isChoosing } = facts
  const known = decideKnown(facts)
  if (known) return known
  if (isOfPast(event, now)) return { kind: 'history' }
  const age = ageOf(event, now)
  // Whoever is choosing neither rates nor thanks: the question of the choice was asked since.
  const asked = askedRating && { ...askedRating, isFollowed: askedRating.isFollowed || isChoosing }
  const answer = !open && asked ? judgeRating(event, asked, operatorNames, now) : undefined
  const mayThank = settings.thanksStayClosed && !open && !isChoosing && !answer?.rating
  const isThanks = mayThank && areThanks(facts)
  const live: Live = {
    isRecovered: age > recoveredAfterMs || event.isSwept === true,
    replaces: facts.stored,
    endsRatingRequest: answer !== undefined && !isThanks,
  }
  if (answer?.rating) return { kind: 'rate', ...live, rating: answer.rating }
  if (isThanks) return { kind: 'thank', ...live }
  if (isForChoice(facts, live.isRecovered)) return { kind: 'choose', ...live }
  // The phone's messages that come into a new conversation with it were sent later, and have their own times.
  const place =
    !open && facts.hasLaterPhoneMessages
      ? placeAtOwnTime(event.sentAt, now, facts)
      : placeMessage(event, now, facts)
  const isFirst = open !== undefined && place.sortAt < open.startedAt
  const adoptsPhoneMessages = (!open || isFirst) && facts.hasLaterPhoneMessages
  return {
    kind: 'append',
    ...live,
    opens: !open,
    place,
    adoptsPhoneMessages,
    movesStart: isFirst && open.preAttendanceStage === null,
    needsWaiting:
      adoptsPhoneMessages ||
      !place.isNewest ||
      (settings.phoneAnswersCount && facts.isAnsweredByPhone) ||
      event.content.metadata.call?.outcome === 'answered' ||
      open?.snoozedUntil instanceof Date,
    mayBeGreeted: !live.isRecovered && mayBeGreeted(settings, event, { isFirst: !open, now }),
  }
}

/** Whether the contact has to choose first whether they are attended. @see decisions §3 Pre-attendance */
function isForChoice(facts: ContactFacts, isRecovered: boolean): boolean {
  const { event, now, ofNumber, open } = facts
  if (open) return asksForChoice(ofNumber) && mayChooseAgain(open, event.sentAt ?? now)
  if (facts.isChoosing) return true
  // Who was answered on the phone, before their message arrived, need not choose.
  if (facts.hasLaterPhoneMessages || !asksForChoice(ofNumber)) return false
  return facts.hasLaterChoice || (!isRecovered && facts.isAsking)
}

/** What becomes of a message that was sent from our own number: by us, on the phone, or by a program. */
export function decideOwn(facts: OwnFacts): OwnVerdict {
  const { event, now, open, inFlightId, copiedId, deletedInFlightId } = facts
  const known = decideKnown(facts)
  if (known) return known
  if (inFlightId !== undefined) return { kind: 'confirm', messageId: inFlightId }
  if (copiedId !== undefined) return { kind: 'duplicate', messageId: copiedId }
  if (deletedInFlightId !== undefined) return { kind: 'confirm-deleted', messageId: deletedInFlightId }
  if (!open || !belongsTo(open, facts)) return { kind: 'history' }
  return { kind: 'append-own', place: placeMessage(event, now, facts) }
}

/**
 * Whether the conversation was open already when the message was written, by the clock of whoever wrote it.
 */
function belongsTo(open: OpenConversation, { event, firstSentAt }: OwnFacts): boolean {
  if (!event.sentAt || !firstSentAt) return true
  // An operator's first message has our clock's time, a contact's has the gateway's.
  const slackMs = open.initiatedBy === 'operator' ? clockSlackMs : 0
  return event.sentAt.getTime() + slackMs >= firstSentAt.getTime()
}
