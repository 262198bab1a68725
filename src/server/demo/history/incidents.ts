import { minuteMs } from './calendar.ts'
import { parseContent } from './media.ts'
import type { Dice } from './random.ts'
import { type DemoMessage, waIdFrom } from './timeline.ts'

/** Occasional changes to single messages: quotes, reactions, edits, votes, failures, late arrivals. */
export function addIncidents(dice: Dice, messages: readonly DemoMessage[]): DemoMessage[] {
  return messages.flatMap((message, index) => {
    const [before, after] = [messages[index - 1], messages[index + 1]]
    const roomMs = (after?.at.getTime() ?? message.at.getTime() + 20 * minuteMs) - message.at.getTime()
    const own = message.from !== 'contact'
    const done: DemoMessage = {
      ...message,
      ...quoteOf(dice, message, before),
      ...reactionsOf(dice, message),
      ...votesOf(dice, message),
      ...editOf(dice, message, roomMs),
      ...lateArrival(dice, message, before, roomMs),
      ...(own && statusOf(dice, message)),
      ...(dice.chance(0.0035) && message.type === 'text' && { pinnedAt: later(dice, message, 1, 9) }),
      ...(message.type !== 'text' &&
        !own &&
        dice.chance(0.05) && {
          metadata: { ...message.metadata, isForwarded: true },
        }),
    }
    return [...failedBefore(dice, done, before), done, ...unreadableAfter(dice, done, roomMs)]
  })
}

function later(dice: Dice, { at }: DemoMessage, fromMinutes: number, toMinutes: number) {
  return new Date(at.getTime() + dice.between(fromMinutes * 60, toMinutes * 60) * 1000)
}

function quoteOf(dice: Dice, message: DemoMessage, before: DemoMessage | undefined): Partial<DemoMessage> {
  const isOther = before?.waId && (before.from === 'contact') !== (message.from === 'contact')
  if (!isOther || before.waId === null || message.type !== 'text' || !dice.chance(0.07)) return {}
  return { quotes: { waId: before.waId, text: before.text.slice(0, 1000) } }
}

const emojis = ['👍', '👍', '👍', '❤️', '❤️', '🙏', '👏', '✅'] as const

function reactionsOf(dice: Dice, message: DemoMessage): Partial<DemoMessage> {
  if (!dice.chance(0.05)) return {}
  const from = message.from === 'contact' ? ('user' as const) : ('contact' as const)
  return { reactions: [{ from, emoji: dice.pick(emojis), at: later(dice, message, 0.2, 6) }] }
}

function votesOf(dice: Dice, { type, metadata, at }: DemoMessage): Partial<DemoMessage> {
  const options = metadata?.poll?.options
  if (type !== 'poll' || !options || dice.chance(0.12)) return {}
  return { votes: [{ from: 'contact', options: [dice.pick(options)], at: new Date(at.getTime() + 50_000) }] }
}

function editOf(dice: Dice, message: DemoMessage, roomMs: number): Partial<DemoMessage> {
  const isWord = message.type === 'text' && message.text.length > 25
  if (!isWord || message.deletedAt || roomMs < 90_000 || message.from === 'phone' || !dice.chance(0.022))
    return {}
  const first = { text: mistyped(dice, message.text), replacedAt: new Date(message.at.getTime() + 25_000) }
  if (!dice.chance(0.15)) return { versions: [first] }
  const shorter = message.text.replace(/ [^ ]+$/, '')
  return { versions: [first, { text: shorter, replacedAt: new Date(message.at.getTime() + 60_000) }] }
}

/** Swaps two letters of a word. */
function mistyped(dice: Dice, text: string): string {
  const places = [...text.matchAll(/(?<=\p{L}\p{L})(\p{Ll})(?!\1)\p{Ll}(?=\p{L})/gu)]
  const place = places.length > 0 ? dice.pick(places) : undefined
  if (!place) return `${text}.`
  const at = place.index
  return `${text.slice(0, at)}${text.charAt(at + 1)}${text.charAt(at)}${text.slice(at + 2)}`
}

/** The connection was down: the message keeps its own time, though it arrived minutes later. */
function lateArrival(
  dice: Dice,
  message: DemoMessage,
  before: DemoMessage | undefined,
  roomMs: number,
): Partial<DemoMessage> {
  if (message.from !== 'contact' || !before || roomMs < 4 * minuteMs || !dice.chance(0.035)) return {}
  return {
    arrivedAt: new Date(message.at.getTime() + dice.between(125_000, roomMs - 20_000)),
    metadata: { ...message.metadata, recovered: true },
  }
}

function statusOf(dice: Dice, { type, metadata }: DemoMessage): Partial<DemoMessage> {
  if (type === 'audio' && metadata?.isVoice && dice.chance(0.8)) return { status: 'played' }
  if (dice.chance(0.06)) return { status: 'delivered' }
  return dice.chance(0.008) ? { status: 'sent' } : { status: 'read' }
}

const failures = ['unreachable', 'rejected', 'unconfirmed', 'invalid'] as const

/** A failed attempt just before the message that went through. */
function failedBefore(dice: Dice, message: DemoMessage, before: DemoMessage | undefined): DemoMessage[] {
  if (typeof message.from !== 'object' || message.type !== 'text' || message.versions || !before) return []
  const roomMs = message.at.getTime() - before.at.getTime()
  if (roomMs < 40_000 || !dice.chance(0.006)) return []
  const failureReason = dice.pick(failures)
  return [
    {
      waId: failureReason === 'rejected' ? waIdFrom(dice, false) : null,
      from: message.from,
      text: message.text,
      type: 'text',
      at: new Date(message.at.getTime() - dice.between(12_000, 35_000)),
      status: 'failed',
      failureReason,
    },
  ]
}

/** Clients also send messages the gateway cannot pass on. */
function unreadableAfter(dice: Dice, message: DemoMessage, roomMs: number): DemoMessage[] {
  if (message.from !== 'contact' || roomMs < 40_000 || message.arrivedAt || !dice.chance(0.004)) return []
  return [
    {
      waId: waIdFrom(dice, true),
      from: 'contact',
      at: new Date(message.at.getTime() + dice.between(8000, 30_000)),
      ...parseContent(dice, '@unsupported'),
    },
  ]
}
