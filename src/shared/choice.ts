// The choice before a conversation: a contact answers 1 to be attended and 2 to end it. Pure: it is worked
// out anew from all messages with each that arrives, so that their order of arrival does not matter. @see
// decisions §3 Pre-attendance

export type Option = 'attend' | 'cancel'

/** For comparing: without case, accents, the marks of a keycap emoji and surrounding space. */
function plainOf(text: string) {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
}

const words: Record<string, Option> = { um: 'attend', uma: 'attend', dois: 'cancel', duas: 'cancel' }

/** '1', ' 1 ', '1️⃣', 'um', '1.' and a button that begins with its number ('1 - Falar com um atendente'). */
export function optionOf(text: string): Option | undefined {
  const plain = plainOf(text)
  const [, digit] = /^(?:opcao )?([12])(?:\s*[-–—.):]\s*.{0,60})?$/u.exec(plain) ?? []
  if (digit !== undefined) return digit === '1' ? 'attend' : 'cancel'
  return words[plain]
}

/** One of the contact's messages before the choice. */
export interface ChoiceMessage {
  id: number
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

/** How long after a reply nobody is told that he was not understood. */
export const invalidEveryMs = 10_000
/** How often the same reply is sent within `countedMs`: two robots must not feed each other. */
const maxSameReplies = 6
const countedMs = 60 * 60_000

/**
 * Goes through the messages from the first to the last. After 'attend' everything else belongs to the
 * conversation; after 'cancelled' the next message begins a new attempt.
 * @param messages in the order in which they were written
 * @param repliesBefore those within an hour before these messages
 */
export function replayChoice(
  messages: readonly ChoiceMessage[],
  repliesBefore: readonly SentReply[] = [],
): ChoiceAttempt[] {
  const attempts: ChoiceAttempt[] = []
  let open: ChoiceAttempt | undefined
  let lastReplyMs = -Infinity
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
      replies: [...(attempts.at(-1)?.replies ?? repliesBefore)],
    }
    if (isFirst) attempts.push(current)
    open = current
    current.messages.push(message)
    current.reply = undefined
    current.replies = current.replies.filter(({ at }) => atMs - at.getTime() < countedMs)
    const mayReply = (reply: ChoiceReply) =>
      current.replies.filter((sent) => sent.reply === reply).length < maxSameReplies
    const option = isFirst ? undefined : optionOf(message.content)
    if (option === 'attend') current.stage = 'attend'
    else if (option === 'cancel') {
      current.stage = 'cancelled'
      current.reply = 'preAttendanceCancelMessage'
      open = undefined
    } else if (message.isRecovered) current.stage = 'attend'
    else if (isFirst && mayReply('preAttendanceCancelMessage')) {
      current.reply = 'preAttendanceMessage'
      lastReplyMs = atMs
    } else if (isFirst) current.stage = 'attend'
    else if (atMs - lastReplyMs >= invalidEveryMs) {
      if (mayReply('preAttendanceInvalidMessage')) {
        current.reply = 'preAttendanceInvalidMessage'
        lastReplyMs = atMs
      } else current.stage = 'attend'
    }
    if (current.reply) current.replies.push({ reply: current.reply, at: message.writtenAt })
    if (current.stage === 'attend') current.decidedAt = message.writtenAt
  }
  return attempts
}
