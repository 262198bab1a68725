// The choice before a conversation: a contact answers 1 to be attended and 2 to end it. Pure: it is worked
// out anew from all messages with each that arrives, so that their order of arrival does not matter. @see
// decisions §3 Pre-attendance

import { hasRaisedFigure, withoutOrnament } from '#shared/ornament.ts'

export type Option = 'attend' | 'cancel'

/** For comparing: without case, accents, the marks of a keycap emoji and surrounding space. */
function plainOf(text: string) {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
}

const numbers: Record<string, Option> = {
  '1': 'attend',
  um: 'attend',
  uma: 'attend',
  '2': 'cancel',
  dois: 'cancel',
  duas: 'cancel',
}

/**
 * The option that a message chooses: '1', '1️⃣', '1.', '(1)', 'opção 1', 'um', or the line of the question
 * that begins with its number, as a button or a quotation repeats it. What the first option is called chooses
 * it without its number, too; the second one needs it, since 'Cancelar' may be about an order. A message that
 * says anything else ('2 - 3 dias', '2:30 pode ser?', '2 🍕') chooses none.
 */
export function optionOf(text: string, question: string): Option | undefined {
  const plain = plainOf(text)
  for (const line of plainOf(question).split('\n')) {
    const [, number, label] = /^\D{0,3}([12])(?!\d)[^\p{L}\d]*(.*)$/u.exec(line.trim()) ?? []
    if (number === undefined || !label) continue
    if (plain === line.trim()) return numbers[number]
    if (plain === label && number === '1') return 'attend'
  }
  // A minus before a figure, or a separator between two, belongs to an amount, a time or a range.
  if (/^[-–—]\s*\d|\d\s*[.,:]\s*\d/u.test(plain) || hasRaisedFigure(text)) return undefined
  return numbers[plainOf(withoutOrnament(text)).replace(/^opcao/, '')]
}

/** One of the contact's messages before the choice. */
export interface ChoiceMessage {
  id: number
  /** Its text; '' where it is of another kind, which chooses nothing. */
  content: string
  writtenAt: Date
  /** It arrived late: no automatic text answers it. */
  isRecovered: boolean
}

/** A text of the settings that answers one of them. */
export type ChoiceReply =
  | 'preAttendanceMessage'
  | 'preAttendanceInvalidMessage'
  | 'preAttendanceCancelMessage'

export interface SentReply {
  reply: ChoiceReply
  /** When the contact wrote what it answers. */
  at: Date
}

/** Consecutive messages that lead to one choice. */
export interface ChoiceAttempt {
  stage: 'waiting_option' | 'cancelled' | 'attend'
  messages: ChoiceMessage[]
  /** Of 'attend': since when the contact waits for an operator. */
  decidedAt: Date | undefined
  /** What answers the last message; undefined: nothing. */
  reply: ChoiceReply | undefined
  /** All replies within an hour of the last message, those of earlier attempts included. */
  replies: SentReply[]
}

/** How long nobody is notified again that they were not understood. */
export const invalidEveryMs = 10_000
/** How often the same reply is sent within `countedMs`: two robots must not feed each other. */
const maxSameReplies = 6
const countedMs = 60 * 60_000

/** A question as it was sent. */
export interface SentQuestion {
  /** Of the message: whatever has a smaller one arrived before the question was sent. */
  id: number
  at: Date
}
/** By how much a time of WhatsApp's, in whole seconds and by another clock, may be before ours. */
const slackMs = 2000

/**
 * Goes through the messages from the first to the last. After 'attend' everything else belongs to the
 * conversation; after 'cancelled' the next message begins a new attempt.
 * @param messages in the order in which they were written
 * @param question the text that offers the options
 * @param sent what was sent: the replies of the hour before these messages, and the questions to them, each
 * with the first message where none is given
 */
export function replayChoice(
  messages: readonly ChoiceMessage[],
  question: string,
  sent: { replies?: readonly SentReply[]; questions?: readonly SentQuestion[] } = {},
): ChoiceAttempt[] {
  const attempts: ChoiceAttempt[] = []
  let open: ChoiceAttempt | undefined
  let lastInvalidMs = -Infinity
  let endedMs = -Infinity
  for (const message of messages) {
    if (open?.stage === 'attend') {
      open.messages.push(message)
      continue
    }
    const atMs = message.writtenAt.getTime()
    const isFirst: boolean = open === undefined
    const current: ChoiceAttempt = open ?? {
      stage: 'waiting_option',
      messages: [],
      decidedAt: undefined,
      reply: undefined,
      // A new attempt does not stop two robots.
      replies: [...(attempts.at(-1)?.replies ?? sent.replies ?? [])],
    }
    if (isFirst) attempts.push(current)
    open = current
    current.messages.push(message)
    current.reply = undefined
    current.replies = current.replies.filter(({ at }) => atMs - at.getTime() < countedMs)
    const asked = sent.questions?.find(({ at }) => at.getTime() > endedMs)
    const mayReply = (reply: ChoiceReply) =>
      current.replies.filter((sent) => sent.reply === reply).length < maxSameReplies
    const option = isFirst ? undefined : optionOf(message.content, question)
    if (option === 'attend') current.stage = 'attend'
    else if (option === 'cancel') {
      current.stage = 'cancelled'
      current.reply = 'preAttendanceCancelMessage'
      open = undefined
      endedMs = atMs
    } else if (message.isRecovered) current.stage = 'attend'
    else if (isFirst && mayReply('preAttendanceCancelMessage')) {
      current.reply = 'preAttendanceMessage'
    } else if (isFirst) current.stage = 'attend'
    else if (!isBeforeQuestion(message, asked) && atMs - lastInvalidMs >= invalidEveryMs) {
      if (mayReply('preAttendanceInvalidMessage')) {
        current.reply = 'preAttendanceInvalidMessage'
        lastInvalidMs = atMs
      } else current.stage = 'attend'
    }
    if (current.reply) current.replies.push({ reply: current.reply, at: message.writtenAt })
    if (current.stage === 'attend') current.decidedAt = message.writtenAt
  }
  return attempts
}

/**
 * Nobody errs who could not have read the question: what they wrote before is kept, and says nothing else.
 */
const isBeforeQuestion = ({ id, writtenAt }: ChoiceMessage, asked: SentQuestion | undefined): boolean =>
  asked !== undefined && (id < asked.id || writtenAt.getTime() + slackMs < asked.at.getTime())
