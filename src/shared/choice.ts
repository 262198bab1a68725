// The choice before a conversation: a contact answers 1 to be attended and 2 to end it. Pure: it is worked
// out anew from all messages with each that arrives, so that their order of arrival does not matter. @see
// decisions §3 Pre-attendance

import { hasGesture, hasRaisedFigure, wordsIn } from '#shared/ornament.ts'
import { menuChoice, type MenuOption, type SectorMenu } from '#shared/sectors/sector-menu.ts'

export type Option = 'attend' | 'cancel'

/** For comparing: without case, accents, the marks of a keycap emoji and surrounding space. */
function plainOf(text: string) {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
}

const numbers: Record<string, Option> = { '1': 'attend', '2': 'cancel' }
const wish = '(?:(?:quero|queria|gostaria de|preciso|posso) )?'
const person = '(?:atendente|atendimento|alguem|humano|pessoa|operador|operadora)'
const courtesy = '(?: (?:por favor|por gentileza|favor|pf|pfv|ok|obrigado|obrigada|quero|claro))*'
/** Nothing is lost by it, so much says that somebody wants to be attended. */
const attending = new RegExp(
  `^(?:${[
    `${wish}(?:a )?(?:opcao )?(?:1|um|uma)(?: ${person})?`,
    'sim',
    `${wish}(?:(?:falar|conversar) )?(?:com |de )?(?:o |a |um |uma )?${person}`,
  ].join('|')})${courtesy}$`,
)
/**
 * It ends the conversation, so what says so is a closed list, beside the words of its line, and has no
 * gesture: '2 🙏' may ask for two.
 */
const ending = new Set(['2', 'dois', 'opcao 2', 'opcao dois'])

/**
 * The option that a message chooses. The first one by its number, also with words of courtesy ('1', '1️⃣',
 * '1 por favor', 'um', 'sim', 'falar com atendente'), the second one by its number alone ('2', '2️⃣', '(2)',
 * 'opção 2', 'dois'). Each also by its line of the question, as a button or a quotation repeats it, or by the
 * words of that line. A message that says anything else ('2 - 3 dias', '2:30 pode ser?', '2 🙏', 'duas')
 * chooses none.
 */
export function optionOf(text: string, question: string): Option | undefined {
  const plain = plainOf(text)
  const words = said(text)
  for (const line of plainOf(question).split('\n')) {
    const [, number, label] = /^\D{0,3}([12])(?!\d)[^\p{L}\d]*(.*)$/u.exec(line.trim()) ?? []
    if (number === undefined || !label) continue
    const own = [said(label), `${number} ${said(label)}`]
    if (plain === line.trim() || own.includes(words)) return numbers[number]
  }
  // A minus before a figure, or a separator between two, belongs to an amount, a time or a range.
  if (/^[-–—]\s*\d|\d\s*[.,:]\s*\d/u.test(plain) || hasRaisedFigure(text) || /[?？❓❔⁉]/u.test(text))
    return undefined
  if (ending.has(words)) return hasGesture(text) ? undefined : 'cancel'
  return attending.test(words) ? 'attend' : undefined
}

/** '1- Falar…' becomes '1 falar'; of '2 🍕' the thing stays. */
const said = (text: string) =>
  wordsIn(text)
    .join(' ')
    .replace(/^opcao(?=\d)/, 'opcao ')

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
  /** The sector that was chosen from the menu; absent: none was. */
  sectorId?: number
}

/** How long nobody is notified again that they were not understood. */
export const invalidEveryMs = 10_000
/** How often the same reply is sent within `countedMs`: two robots must not feed each other. */
const maxSameReplies = 6
const countedMs = 60 * 60_000

/** A question as it was sent. */
export interface SentQuestion {
  /** Of the message: whatever has a smaller one arrived before the question was written. */
  id: number
  writtenAt: Date
  /** When WhatsApp had it, by its own clock, in whole seconds; undefined: not yet. */
  sentAt: Date | undefined
  /** It could not be sent, so nobody will read it. */
  hasFailed: boolean
  /** The sectors that it offered, in the order of their figures; absent: it was no menu. */
  menu?: readonly number[] | undefined
}

/**
 * Goes through the messages from the first to the last. After 'attend' everything else belongs to the
 * conversation; after 'cancelled' the next message begins a new attempt.
 * @param messages in the order in which they were written
 * @param question the text that offers the options
 * @param sent what was sent: the replies of the hour before these messages, and the questions to them, each
 * with the first message where none is given
 * @param mostInvalid after so many answers that were not understood the next message is for an operator; 0:
 *   never
 * @param menu the menu of sectors that is offered now, or was; absent, or without options: 1 and 2
 */
export function replayChoice(
  messages: readonly ChoiceMessage[],
  question: string,
  sent: { replies?: readonly SentReply[]; questions?: readonly SentQuestion[] } = {},
  mostInvalid = 0,
  menu?: MenuOffered,
): ChoiceAttempt[] {
  const attempts: ChoiceAttempt[] = []
  let open: ChoiceAttempt | undefined
  let lastInvalidMs = -Infinity
  let invalid = 0
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
    const asked = sent.questions?.find(({ writtenAt }) => writtenAt.getTime() > endedMs)
    const mayReply = (reply: ChoiceReply) =>
      current.replies.filter((sent) => sent.reply === reply).length < maxSameReplies
    const isEarly = isBeforeQuestion(message, asked)
    if (isFirst) invalid = 0
    // Nobody stays unseen because they never answer as they were asked to.
    const isPatienceOver = mostInvalid > 0 && invalid >= mostInvalid
    const option = isFirst || isEarly ? undefined : chosen(message.content, question, asked, menu)
    if (typeof option === 'object') current.sectorId = option.sectorId
    if (option === 'attend' || typeof option === 'object') current.stage = 'attend'
    else if (option === 'cancel') {
      current.stage = 'cancelled'
      current.reply = 'preAttendanceCancelMessage'
      open = undefined
      endedMs = atMs
    } else if (message.isRecovered || asked?.hasFailed || isPatienceOver) current.stage = 'attend'
    else if (isFirst && mayReply('preAttendanceCancelMessage')) {
      current.reply = 'preAttendanceMessage'
    } else if (isFirst) current.stage = 'attend'
    else if (!isEarly && atMs - lastInvalidMs >= invalidEveryMs) {
      if (mayReply('preAttendanceInvalidMessage')) {
        current.reply = 'preAttendanceInvalidMessage'
        lastInvalidMs = atMs
        invalid++
      } else current.stage = 'attend'
    }
    if (current.reply) current.replies.push({ reply: current.reply, at: message.writtenAt })
    if (current.stage === 'attend') current.decidedAt = message.writtenAt
  }
  return attempts
}

/** What a menu of sectors offers, perhaps nothing, and how each sector was that an earlier one offered. */
export interface MenuOffered extends SectorMenu {
  known: readonly MenuOption[]
}

/** An answer is read by the question that it answers, whatever is offered by now. */
function chosen(
  text: string,
  question: string,
  asked: SentQuestion | undefined,
  now: MenuOffered | undefined,
) {
  const ids = asked ? asked.menu : now?.options.map(({ sectorId }) => sectorId)
  if (!now || !ids?.length) return optionOf(text, question)
  const options = ids.flatMap((id) => now.known.find(({ sectorId }) => sectorId === id) ?? [])
  return menuChoice(text, { options, hasCancel: asked ? ids.includes(0) : now.hasCancel })
}

/**
 * Nobody answers a question that they could not have read: what they wrote before is a part of their request.
 * In the second in which WhatsApp got the question nobody has read it either.
 */
const isBeforeQuestion = ({ id, writtenAt }: ChoiceMessage, asked: SentQuestion | undefined): boolean =>
  asked !== undefined &&
  (asked.sentAt === undefined || id < asked.id || secondOf(writtenAt) <= secondOf(asked.sentAt))
const secondOf = (at: Date) => Math.floor(at.getTime() / 1000)
