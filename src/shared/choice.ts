/**
 * What becomes of what a client writes before he has chosen whether to be attended: 1 into the queue, 2 not
 * at all. Pure: whoever keeps the messages asks again with all of them, so that it does not matter in which
 * order they came.
 * @see decisions §3 Pre-attendance
 */

export type Option = 'attend' | 'cancel'

/** As it is compared: no case, no accents, no signs of a keyboard's keycap, nothing around it. */
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

/** One of the client's messages, as they are kept. */
export interface Kept {
  id: number
  content: string
  /** When he wrote it. */
  at: Date
  /** It came late: nobody answers it by a machine. */
  isRecovered: boolean
}

export type Said = 'preAttendanceMessage' | 'preAttendanceInvalidMessage' | 'preAttendanceCancelMessage'

/** A text of ours that answers one of the client's messages. */
export interface Answer {
  says: Said
  /** When he wrote what it answers. */
  at: Date
}

/** A stretch of the client's messages that is one thing. */
export interface Stretch {
  stage: 'waiting_option' | 'cancelled' | 'attend'
  messages: Kept[]
  /** Of 'attend': when he began to wait for us. */
  decidedAt: Date | undefined
  /** What answers its last message; undefined: nothing. */
  says: Said | undefined
  /** What he was told within the last hour of it, also before it began. */
  answers: Answer[]
}

/** So soon after a text of ours nobody is told that he was not understood. */
export const invalidEveryMs = 10_000
/**
 * Two robots must not feed each other: whoever was told the same so often within so long comes to a person.
 */
const mostOfOne = 6
const countedMs = 60 * 60_000

/**
 * Plays the messages from the first to the last. After 'attend' everything else belongs to the conversation;
 * after 'cancelled' the next message begins anew.
 * @param messages in the order in which they were written
 * @param answersBefore what he was told before these, within an hour
 */
export function playChoice(messages: readonly Kept[], answersBefore: readonly Answer[] = []): Stretch[] {
  const stretches: Stretch[] = []
  let open: Stretch | undefined
  let toldAtMs = -Infinity
  for (const message of messages) {
    if (open?.stage === 'attend') {
      open.messages.push(message)
      continue
    }
    const atMs = message.at.getTime()
    const isFirst: boolean = open === undefined
    const current: Stretch = open ?? {
      stage: 'waiting_option',
      messages: [],
      decidedAt: undefined,
      says: undefined,
      // Beginning anew does not make two robots stop.
      answers: [...(stretches.at(-1)?.answers ?? answersBefore)],
    }
    if (isFirst) stretches.push(current)
    open = current
    current.messages.push(message)
    current.says = undefined
    current.answers = current.answers.filter((answer) => atMs - answer.at.getTime() < countedMs)
    const mayHear = (says: Said) =>
      current.answers.filter((answer) => answer.says === says).length < mostOfOne
    const option = isFirst ? undefined : optionOf(message.content)
    if (option === 'attend') current.stage = 'attend'
    else if (option === 'cancel') {
      current.stage = 'cancelled'
      current.says = 'preAttendanceCancelMessage'
      open = undefined
    } else if (message.isRecovered) current.stage = 'attend'
    else if (isFirst && mayHear('preAttendanceCancelMessage')) {
      current.says = 'preAttendanceMessage'
      toldAtMs = atMs
    } else if (isFirst) current.stage = 'attend'
    else if (atMs - toldAtMs >= invalidEveryMs) {
      if (mayHear('preAttendanceInvalidMessage')) {
        current.says = 'preAttendanceInvalidMessage'
        toldAtMs = atMs
      } else current.stage = 'attend'
    }
    if (current.says) current.answers.push({ says: current.says, at: message.at })
    if (current.stage === 'attend') current.decidedAt = message.at
  }
  return stretches
}
