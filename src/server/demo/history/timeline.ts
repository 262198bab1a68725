import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import type { SampleConversation, SampleMessage } from '#server/conversations/conversations.ts'
import { hourMs, hourOf, minuteMs } from './calendar.ts'
import { type Facts, fill } from './facts.ts'
import type { Habit } from './habits.ts'
import { type MessageContent, parseContent } from './media.ts'
import { apologies, nudges } from '#server/demo/scripts/phrases.ts'
import type { Dice } from './random.ts'
import type { DemoSectorName } from '#server/demo/sectors.ts'
import type { Line } from './talk.ts'

/** A message of the demo, its operator given by user name. */
export type DemoMessage = SampleMessage<string>

/** A completed conversation before ids are assigned: operators by user name, the contact by index. */
export interface DemoTalkRecord extends Omit<
  SampleConversation<string>,
  'instanceId' | 'contactId' | 'sectorId'
> {
  contact: number
  sector: DemoSectorName
  scenario: string
  /** With what it ended, as its path; absent: nobody said. */
  reason?: string
  completedAt: Date
}

const longWaitMs = 50 * minuteMs
// Auto-close ends conversations that have waited for the client for half an hour.
const longestGapMs = 27 * minuteMs

/** WhatsApp ids of received and sent messages have different prefixes. */
export function waIdFrom(dice: Dice, isContact: boolean): string {
  const hex = () => dice.between(0, 0xffff).toString(16).padStart(4, '0')
  return `${isContact ? '3A' : '3EB0'}${hex()}${hex()}${hex()}${hex()}`.toUpperCase()
}

/** Assigns times to the lines, from the operator's habits and the client's patience. */
export function placeLines(
  dice: Dice,
  { lines, start, habit, facts }: { lines: readonly Line[]; start: Date; habit: Habit; facts: Facts },
): DemoMessage[] {
  const placed: DemoMessage[] = []
  let clock = start.getTime()
  const add = (
    from: DemoMessage['from'],
    { text, type, file, metadata }: MessageContent,
    more: Partial<DemoMessage> = {},
  ) =>
    void placed.push({
      waId: waIdFrom(dice, from === 'contact'),
      from,
      text,
      at: new Date(clock),
      type,
      ...(file && { file }),
      ...(metadata && { metadata }),
      ...more,
    })
  const own = { operator: habit.username }
  let hasAnswered = false
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const slip = line.isSlip ? { deletedAt: new Date(0) } : {}
    if (line.by === 'contact') {
      if (before) clock += clientGapMs(dice, before.by === 'contact')
      add('contact', line, slip)
      continue
    }
    if (before?.by === 'operator') clock += dice.between(9, 75) * 1000
    else if (before) {
      const since = clock
      const until = answerAt(dice, habit, since, hasAnswered)
      for (const at of impatience(dice, since, until)) {
        clock = at
        const way = dice.chance(0.15) ? '@call' : dice.pick(nudges)
        add('contact', parseContent(dice, fill(dice, way, facts)))
      }
      clock = until
      if (until - since > longWaitMs && dice.chance(0.4)) {
        add(own, { text: dice.pick(apologies), type: 'text' })
        hasAnswered = true
        clock += dice.between(8, 60) * 1000
      }
    }
    // The first answer takes the conversation, which only the console can do; later ones may come from the
    // phone.
    const isByPhone = hasAnswered && line.type !== 'poll' && dice.chance(habit.phoneShare)
    add(isByPhone ? 'phone' : own, line, slip)
    hasAnswered = true
  }
  return placed.map((message) =>
    message.deletedAt ? { ...message, deletedAt: new Date(message.at.getTime() + 40_000) } : message,
  )
}

function clientGapMs(dice: Dice, isSameBreath: boolean): number {
  if (isSameBreath) return dice.between(5, 50) * 1000
  return Math.min(dice.around(95_000, 0.9) + 6000, longestGapMs)
}

function answerAt(dice: Dice, habit: Habit, sinceMs: number, hasAnswered: boolean): number {
  const typical = hasAnswered ? habit.nextSeconds : habit.firstSeconds
  const seconds = Math.min(Math.max(dice.around(typical, habit.spread), 7), typical * 7)
  return sinceMs + seconds * 1000
}

/** When a client who is kept waiting asks again. */
function impatience(dice: Dice, sinceMs: number, untilMs: number): number[] {
  const times: number[] = []
  let at = sinceMs
  for (let turn = 0; turn < 2 && dice.chance(0.6); turn++) {
    at += dice.between(22, 95) * minuteMs
    if (at < untilMs - 30_000 && untilMs - sinceMs > longWaitMs && hourOf(new Date(at)) > 8) times.push(at)
  }
  return times
}

/** When the operator completes the conversation, or auto-close does. */
export function endOf(
  dice: Dice,
  messages: readonly DemoMessage[],
  habit: Habit,
): { at: Date; isByClock: boolean } {
  const last = messages.at(-1)
  const lastAt = last?.at.getTime() ?? 0
  const waitsForClient = last !== undefined && last.from !== 'contact'
  if (waitsForClient && dice.chance(0.14))
    return {
      at: new Date(lastAt + inactivityMinutes * minuteMs + dice.between(1, 40) * 1000),
      isByClock: true,
    }
  const delay = Math.max(12_000, dice.around(habit.closingSeconds * 1000, 0.5))
  if (waitsForClient) return { at: new Date(lastAt + Math.min(delay, longestGapMs)), isByClock: false }
  return { at: new Date(lastAt + Math.min(delay, 9 * hourMs)), isByClock: false }
}
