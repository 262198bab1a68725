import { expect, test } from 'vitest'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import type { Schedule } from '#shared/settings/schedule.ts'
import { isOpen, openMsBetween } from '#shared/settings/working-hours.ts'
import { factsOf, type History } from './facts.ts'
import { type OpenTime, openTime } from './open-time.ts'

/** Open in the first half of every hundred seconds. */
const halves: OpenTime = {
  isOpenAt: (ms) => ms % 100_000 < 50_000,
  between(from, to) {
    let open = 0
    for (let ms = from; ms < to; ms++) if (ms % 100_000 < 50_000) open++
    return open
  },
}

let id = 0
const event = (at: number, act: ConversationAct) => ({ at, id: ++id, act })
const reply = (at: number) => ({ at, id: ++id })

function facts(given: Partial<History>) {
  const history: History = {
    startedAt: 0,
    completedAt: null,
    initiatedBy: 'contact',
    events: [],
    firstReply: null,
    holds: [],
    ...given,
  }
  const { firstReplyMs, queueMs, handlingMs, endedBy } = factsOf(history, halves)
  return { firstReplyMs, queueMs, handlingMs, endedBy }
}

test('nothing has a time before somebody has it', () =>
  expect(facts({})).toEqual({ firstReplyMs: null, queueMs: null, handlingMs: null, endedBy: null }))

test('the facts of a conversation that was taken, answered and finalized', () =>
  expect(
    facts({ events: [event(30, 'taken'), event(200, 'finalized')], firstReply: reply(70), completedAt: 200 }),
  ).toEqual({ firstReplyMs: 70, queueMs: 30, handlingMs: 170, endedBy: 'person' }))

test('a reply takes it, if nobody has taken it', () =>
  expect(facts({ firstReply: reply(70), completedAt: 100 })).toMatchObject({ queueMs: 70, handlingMs: 30 }))

test('a conversation that is given back waits in the queue again', () =>
  expect(
    facts({
      events: [event(10, 'distributed'), event(50, 'returned'), event(80, 'assigned')],
      firstReply: reply(20),
    }),
  ).toMatchObject({ queueMs: 40, handlingMs: null }))

test('a conversation that ended in the queue was handled by nobody', () =>
  expect(facts({ events: [event(90, 'blocked')], completedAt: 90 })).toEqual({
    firstReplyMs: null,
    queueMs: 90,
    handlingMs: null,
    endedBy: 'blocked',
  }))

test('nobody waits in a conversation that the team began', () =>
  expect(
    facts({
      initiatedBy: 'operator',
      firstReply: reply(5),
      completedAt: 100,
      events: [event(100, 'closed_by_inactivity')],
    }),
  ).toEqual({ firstReplyMs: null, queueMs: null, handlingMs: 100, endedBy: 'inactivity' }))

test('of what happens at the same moment the order of the ids counts', () => {
  const returned = event(50, 'returned')
  expect(facts({ events: [returned], firstReply: reply(50), completedAt: 90 }).queueMs).toBe(50)
  const earlier = reply(50)
  expect(facts({ events: [event(50, 'returned')], firstReply: earlier, completedAt: 90 }).queueMs).toBe(90)
})

test('a time in the reports is never negative, whatever the clocks say', () =>
  expect(
    facts({ startedAt: 100, events: [event(20, 'taken')], firstReply: reply(100), completedAt: 60 }),
  ).toEqual({ firstReplyMs: 0, queueMs: 0, handlingMs: 0, endedBy: null }))

test('the open time of a conversation is counted apart', () => {
  const history = {
    startedAt: 0,
    completedAt: 200_000,
    initiatedBy: 'contact',
    events: [],
    holds: [],
  } as const
  expect(factsOf({ ...history, firstReply: reply(120_000) }, halves)).toMatchObject({
    firstReplyMs: 120_000,
    openFirstReplyMs: 70_000,
    openHandlingMs: 30_000,
  })
})

test('a conversation that was answered and ended while it was closed has no time in hours of work', () => {
  const history = {
    startedAt: 60_000,
    completedAt: 95_000,
    initiatedBy: 'contact',
    events: [],
    holds: [],
  } as const
  expect(factsOf({ ...history, firstReply: reply(70_000) }, halves)).toMatchObject({
    firstReplyMs: 10_000,
    openFirstReplyMs: null,
    queueMs: 10_000,
    openQueueMs: null,
    handlingMs: 25_000,
    openHandlingMs: null,
  })
})

test('what is done at once has a time of nothing within the hours, and none outside of them', () => {
  const at = (ms: number) =>
    factsOf(
      {
        startedAt: ms,
        completedAt: null,
        initiatedBy: 'contact',
        events: [],
        holds: [],
        firstReply: reply(ms),
      },
      halves,
    ).openFirstReplyMs
  expect([at(10_000), at(60_000)]).toEqual([0, null])
})

test('less than a second of open time before an answer outside the hours is no time in hours of work', () => {
  const history = {
    startedAt: 49_500,
    completedAt: null,
    initiatedBy: 'contact',
    events: [],
    holds: [],
  } as const
  expect(factsOf({ ...history, firstReply: reply(90_000) }, halves)).toMatchObject({ openFirstReplyMs: null })
  expect(factsOf({ ...history, firstReply: reply(49_900) }, halves)).toMatchObject({ openFirstReplyMs: 400 })
})

test('two stays in the queue, one of them within the hours, are the time of that one', () => {
  const history = {
    startedAt: 60_000,
    completedAt: null,
    initiatedBy: 'contact',
    firstReply: null,
    holds: [],
  } as const
  const events = [event(70_000, 'taken'), event(110_000, 'returned'), event(130_000, 'taken')]
  expect(factsOf({ ...history, events }, halves)).toMatchObject({ queueMs: 30_000, openQueueMs: 20_000 })
})

test('the time on hold is left out of every time of a conversation', () => {
  const history = { startedAt: 0, completedAt: 300_000, initiatedBy: 'contact' } as const
  const events = [event(40_000, 'taken'), event(160_000, 'returned'), event(260_000, 'taken')]
  const holds = [
    { from: 20_000, to: 120_000 },
    { from: 140_000, to: 210_000 },
  ]
  expect(factsOf({ ...history, events, firstReply: reply(130_000), holds }, halves)).toMatchObject({
    firstReplyMs: 30_000,
    openFirstReplyMs: 30_000,
    queueMs: 70_000,
    openQueueMs: 60_000,
    handlingMs: 110_000,
    openHandlingMs: 60_000,
  })
  expect(
    factsOf({ ...history, events: [], firstReply: reply(130_000), holds: [{ from: 0, to: null }] }, halves),
  ).toMatchObject({ firstReplyMs: 0, openFirstReplyMs: null })
})

const usual: Schedule = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [
    { date: '2026-11-20', hours: null, message: '' },
    { date: '2026-11-21', hours: { start: '22:00', end: '02:00' }, message: '' },
  ],
}
const schedules: Record<string, Schedule> = {
  usual,
  'past midnight': { ...usual, workingHours: { start: '20:00', end: '04:00', days: [0, 5, 6] } },
  'a clock that is set back': { ...usual, timezone: 'America/New_York' },
}
const at = (text: string) => Date.parse(text)

test.each(Object.entries(schedules))('%s: as each change says, found one by one', (_, schedule) => {
  const [fromMs, toMs] = [at('2026-10-28T00:00:00Z'), at('2026-11-25T00:00:00Z')]
  const open = openTime(schedule, fromMs, toMs)
  for (let from = fromMs; from < toMs; from += 17 * 3_600_000 + 1234)
    for (const length of [0, 1, 59_999, 3_600_000, 86_400_000, 9 * 86_400_000]) {
      const to = Math.min(from + length, toMs)
      expect(open.between(from, to)).toBe(openMsBetween(schedule, new Date(from), new Date(to)))
      expect(open.isOpenAt(from)).toBe(isOpen(schedule, new Date(from)))
    }
})

test('the open time is nothing backwards, and everything without a pause', () => {
  const always: Schedule = {
    ...usual,
    workingHours: { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    scheduleExceptions: [],
  }
  const [from, to] = [at('2026-11-02T12:00:00Z'), at('2026-11-02T20:00:00Z')]
  expect(openTime(always, from, to).between(from, to)).toBe(to - from)
  expect(openTime(always, from, to).between(to, from)).toBe(0)
})
