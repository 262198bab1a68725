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

/** What may stand around a figure without saying anything: '(1)', '*1*', '1.', '1 👍', a keycap's parts. */
export const ornament = /[\s.,:;!()[\]"'*_~`–—-]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20e3|\u200d/gu
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
 * that begins with its number, as a button or a quotation repeats it. A message that says anything else
 * ('2 - 3 dias', '2:30 pode ser?') chooses none.
 */
export function optionOf(text: string, question: string): Option | undefined {
  const plain = plainOf(text)
  const isRepeated = plainOf(question)
    .split('\n')
    .some((line) => line.trim() === plain)
  const [, repeated] = isRepeated ? (/^\D{0,3}([12])\D/.exec(plain) ?? []) : []
  if (repeated !== undefined) return numbers[repeated]
  // A minus before a figure, or a separator between two, belongs to an amount, a time or a range.
  if (/^[-–—]\s*\d|\d\s*[.,:]\s*\d/u.test(plain)) return undefined
  return numbers[plain.replace(ornament, '').replace(/^opcao/, '')]
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

/** How long after being told that he was not understood nobody is told so again. */
export const invalidEveryMs = 10_000
/** How often the same reply is sent within `countedMs`: two robots must not feed each other. */
const maxSameReplies = 6
const countedMs = 60 * 60_000

/**
 * Goes through the messages from the first to the last. After 'attend' everything else belongs to the
 * conversation; after 'cancelled' the next message begins a new attempt.
 * @param messages in the order in which they were written
 * @param question the text that offers the options
 * @param repliesBefore those within an hour before these messages
 */
export function replayChoice(
  messages: readonly ChoiceMessage[],
  question: string,
  repliesBefore: readonly SentReply[] = [],
): ChoiceAttempt[] {
  const attempts: ChoiceAttempt[] = []
  let open: ChoiceAttempt | undefined
  let lastInvalidMs = -Infinity
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
    const option = isFirst ? undefined : optionOf(message.content, question)
    if (option === 'attend') current.stage = 'attend'
    else if (option === 'cancel') {
      current.stage = 'cancelled'
      current.reply = 'preAttendanceCancelMessage'
      open = undefined
    } else if (message.isRecovered) current.stage = 'attend'
    else if (isFirst && mayReply('preAttendanceCancelMessage')) {
      current.reply = 'preAttendanceMessage'
    } else if (isFirst) current.stage = 'attend'
    else if (atMs - lastInvalidMs >= invalidEveryMs) {
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
