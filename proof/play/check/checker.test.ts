import { expect, test } from 'vitest'
import { type Invariant, checkDay } from './checker.ts'
import { hourMs, minuteMs, secondMs } from '../plan/day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import { goodDay, joao, ten } from './test-day.ts'
import type { DayText } from '../plan/texts.ts'

/** The faults found after a change to a correct day. */
function foundAfter(damage: (day: Observed) => void): Invariant[] {
  const day = goodDay()
  damage(day)
  return [...checkDay(day)].flatMap(([name, faults]) => (faults.length > 0 ? [name] : []))
}

const messageOf = (day: Observed, what: Partial<MessageRow>): MessageRow => {
  const found = day.messages.find((one) =>
    Object.entries(what).every(([key, value]) => one[key as keyof MessageRow] === value),
  )
  if (!found) throw new Error('no such message')
  return found
}
const conversationOf = (day: Observed, id: number) => day.conversations[id - 1] as ConversationRow

/** Repeats a text, in the database and on the phone. */
function sayAgain(day: Observed, key: DayText, afterMs: number): void {
  const text = messageOf(day, { key })
  const at = text.createdAt + afterMs
  day.messages.push({ ...text, id: day.messages.length + 1, createdAt: at, sortAt: at })
  day.got.push({ phone: conversationOf(day, text.conversationId).phone, at, text: text.content })
}

test('a good day has no faults', () => {
  expect(foundAfter(() => undefined)).toEqual([])
})

test.each<[number, Invariant[]]>([
  [20, []],
  [70, ['no inactive conversation was left open']],
])('inactivity that was over %i s before an outage, and ends half an hour after it', (seconds, found) => {
  const end = (day: Observed) => {
    const over = ten + 41 * minuteMs
    const toMs = over + seconds * secondMs + 10 * minuteMs
    day.plan.outage = { fromMs: over + seconds * secondMs, toMs }
    const at = toMs + 30 * minuteMs
    for (const line of day.messages)
      if (line.act === 'closed_by_inactivity' || line.key === 'inactivityMessage')
        Object.assign(line, { createdAt: at, sortAt: at })
    conversationOf(day, 2).completedAt = at
  }
  expect(foundAfter(end)).toEqual(found)
})

test.each<[string, (day: Observed) => void, Invariant]>([
  [
    'a text for the second time',
    (day) => sayAgain(day, 'transferMessage', minuteMs),
    'no automatic text is repeated',
  ],
  [
    'two warnings of one inactive period',
    (day) => sayAgain(day, 'inactivityWarningMessage', minuteMs),
    'no automatic text is repeated',
  ],
  [
    'a text twice on the phone',
    (day) => day.got.push({ phone: joao, at: 0, text: 'temos' }),
    'each text reached its phone once, in order',
  ],
  ['a text that never came', (day) => void day.got.pop(), 'each text reached its phone once, in order'],
  [
    'two texts the other way round',
    (day) => void day.got.reverse(),
    'each text reached its phone once, in order',
  ],
  [
    'a place further back',
    ({ positions }) => positions.push({ conversationId: 1, at: 3 * hourMs, position: 2, truePosition: 2 }),
    'no position went back or was sent twice within a minute',
  ],
  [
    'two positions within a minute',
    ({ positions }) => void (positions[1] && (positions[1].at = ten + 70 * secondMs)),
    'no position went back or was sent twice within a minute',
  ],
  [
    'a place at which he did not stand',
    ({ positions }) => void (positions[1] && (positions[1].truePosition = 4)),
    'every position sent was the true one',
  ],
  [
    'a message that nobody has',
    (day) => void day.messages.splice(day.messages.indexOf(messageOf(day, { content: 'e de papel?' })), 1),
    'each client message is stored once, in order',
  ],
  [
    'what came late and does not say so',
    (day) => void (messageOf(day, { content: 'e de papel?' }).isRecovered = false),
    'each client message is stored once, in order',
  ],
  [
    'an answer of a machine to what came late',
    (day) => {
      sayAgain(day, 'preAttendanceMessage', 0)
      const again = day.messages.at(-1) as MessageRow
      Object.assign(again, { conversationId: 3, createdAt: 5.7 * hourMs })
    },
    'late messages got no automatic reply',
  ],
  [
    'an end in an outage',
    (day) => void (day.plan.outage = { fromMs: ten, toMs: ten + 40 * minuteMs }),
    'nobody was closed for inactivity without being silent',
  ],
  [
    'an end half an hour after an absence of ours',
    (day) => void (day.plan.restart = { fromMs: ten + 5 * minuteMs, toMs: ten + 12 * minuteMs }),
    'nobody was closed for inactivity without being silent',
  ],
  [
    'an end of somebody who has just written',
    (day) =>
      void day.written.splice(3, 0, {
        phone: joao,
        waId: 'nova',
        at: ten + 30 * minuteMs,
        text: 'oi?',
        arrivedAt: ten + 50 * minuteMs,
      }),
    'nobody was closed for inactivity without being silent',
  ],
  [
    'an end after ten minutes',
    (day) => void (messageOf(day, { content: 'temos' }).sortAt = ten + 31 * minuteMs),
    'nobody was closed for inactivity without being silent',
  ],
  [
    'an end of nobody’s',
    (day) =>
      void day.acts.splice(
        day.acts.findIndex(({ kind }) => kind === 'finalize'),
        1,
      ),
    'nothing was closed without a reason',
  ],
  [
    'a message after the end',
    (day) => void (messageOf(day, { content: '5' }).isRating = false),
    'nothing was closed without a reason',
  ],
  [
    'inactivity that nobody ends',
    (day) => {
      day.messages = day.messages.filter(
        ({ act, key }) => act !== 'closed_by_inactivity' && key !== 'inactivityMessage',
      )
      Object.assign(conversationOf(day, 2), { status: 'active', completedAt: null })
    },
    'no inactive conversation was left open',
  ],
  [
    'somebody who waits where nobody looks',
    (day) => void (conversationOf(day, 3).isQueued = false),
    'each client was served or is waiting',
  ],
  [
    'somebody who was never answered',
    (day) => void (messageOf(day, { content: 'temos' }).by = 'product'),
    'each client was served or is waiting',
  ],
  [
    'somebody who was passed over',
    ({ acts }) => void (acts[0] && (acts[0].longestWaitingId = 2)),
    'who waited longest was taken first',
  ],
])('%s is found', (_, damage, invariant) => {
  expect(foundAfter(damage)).toContain(invariant)
})
