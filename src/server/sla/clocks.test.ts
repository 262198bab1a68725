import { expect, test } from 'vitest'
import type { Schedule } from '#shared/settings/schedule.ts'
import { isOpen } from '#shared/settings/working-hours.ts'
import { atNight } from '#server/testing/nightly.ts'
import { createRandom } from '#simulator/random.ts'
import { type Course, endClock, replyClock, type Span } from './clocks.ts'

const minute = 60_000
const usual: Schedule = {
  timezone: 'America/Sao_Paulo',
  workingHours: { start: '08:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  scheduleExceptions: [],
}
const at = (local: string) => Date.parse(`${local}-03:00`)
const course = (more: Partial<Course> = {}): Course => ({
  startedAt: at('2026-11-19T11:30'),
  completedAt: null,
  isFromContact: true,
  firstReplyAt: null,
  waits: [{ from: at('2026-11-19T11:30'), to: null }],
  holds: [],
  ...more,
})
const local = (ms: number | null | undefined) =>
  typeof ms === 'number' ? new Date(ms - 180 * minute).toISOString().slice(0, 16) : ms

test('lunch and the night are left out of the time to the first reply', () => {
  const clock = replyClock(course(), 60 * minute, usual, at('2026-11-19T11:40'))
  expect([clock?.runMs, local(clock?.nearAt), local(clock?.dueAt), clock?.isKept]).toEqual([
    10 * minute,
    '2026-11-19T13:15',
    '2026-11-19T13:30',
    null,
  ])
  const late = course({ startedAt: at('2026-11-20T17:50') })
  expect(local(replyClock(late, 60 * minute, usual, at('2026-11-20T17:55'))?.dueAt)).toBe('2026-11-23T08:50')
})

test('a reply in time is kept, one that is late is broken at the moment at which it was due', () => {
  const now = at('2026-11-19T16:00')
  const kept = replyClock(course({ firstReplyAt: at('2026-11-19T13:20') }), 60 * minute, usual, now)
  expect([kept?.isKept, kept?.runMs, kept?.dueAt]).toEqual([true, 50 * minute, null])
  const broken = replyClock(course({ firstReplyAt: at('2026-11-19T13:40') }), 60 * minute, usual, now)
  expect([broken?.isKept, broken?.runMs, local(broken?.dueAt)]).toEqual([
    false,
    70 * minute,
    '2026-11-19T13:30',
  ])
})

test('whoever was written to by the team has no reply to wait for', () => {
  expect(replyClock(course({ isFromContact: false }), minute, usual, at('2026-11-19T13:00'))).toBeUndefined()
})

test('on hold, and while the client has the word, the clock of the end rests', () => {
  const resting = course({
    waits: [{ from: at('2026-11-19T09:00'), to: at('2026-11-19T09:20') }],
    holds: [{ from: at('2026-11-19T09:10'), to: at('2026-11-19T09:15') }],
  })
  const clock = endClock(resting, 60 * minute, usual, at('2026-11-19T17:00'))
  expect([clock.runMs, clock.dueAt]).toEqual([15 * minute, null])
})

const conversations = atNight(100_000, 400)

test(
  'the clocks of random conversations are as counting their minutes has it',
  { timeout: 3_600_000 },
  () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const random = createRandom(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const time = () => `${String(below(24)).padStart(2, '0')}:${String(below(4) * 15).padStart(2, '0')}`
    const schedules: Schedule[] = Array.from(
      { length: 40 },
      () =>
        ({
          timezone: ['America/Sao_Paulo', 'America/Manaus', 'America/New_York', 'Asia/Kolkata'][
            below(4)
          ] as string,
          workingHours: {
            start: time(),
            end: time(),
            days: [0, 1, 2, 3, 4, 5, 6].filter(() => random() < 0.7),
            ...(random() < 0.5 && {
              differentDays: [
                { day: below(7), start: time(), end: time(), lunch: random() < 0.5 ? 'usual' : 'none' },
              ],
            }),
          } as Schedule['workingHours'],
          lunchBreak: { enabled: random() < 0.5, start: time(), end: time() },
          scheduleExceptions: random() < 0.5 ? [{ date: '2026-11-03', hours: null, message: '' }] : [],
        }) as Schedule,
    )
    // Around the end of summer time in New York, on whole minutes.
    const origin = Date.parse('2026-10-31T00:00Z')
    const days = 5
    const openMinutes = schedules.map((schedule) => {
      const open = new Uint8Array((days + 12) * 1440)
      for (let n = 0; n < open.length; n++) open[n] = isOpen(schedule, new Date(origin + n * minute)) ? 1 : 0
      return open
    })
    let [judged, wrong, broken, hadDue] = [0, 0, 0, 0]
    const problems: unknown[] = []
    for (let n = 0; n < conversations; n++) {
      const which = below(schedules.length)
      const [schedule, open] = [schedules[which] as Schedule, openMinutes[which] as Uint8Array]
      const start = below(1440)
      const now = start + below(days * 1440 - start)
      const isOver = random() < 0.4
      const end = isOver ? start + below(now - start + 1) : null
      const moments = Array.from({ length: below(8) }, () => start + below((end ?? now) - start + 1)).sort(
        (a, b) => a - b,
      )
      const spans = (from: number[]): Span[] =>
        Array.from({ length: Math.ceil(from.length / 2) }, (_, k) => ({
          from: origin + (from[2 * k] as number) * minute,
          to: from[2 * k + 1] === undefined ? null : origin + (from[2 * k + 1] as number) * minute,
        }))
      const holdMoments = Array.from({ length: 2 * below(3) }, () => start + below(now - start + 1)).sort(
        (a, b) => a - b,
      )
      const waits = spans([start, ...moments])
      const holds = spans(holdMoments)
      const reply = random() < 0.5 ? start + below((end ?? now) - start + 1) : null
      const given: Course = {
        startedAt: origin + start * minute,
        completedAt: end === null ? null : origin + end * minute,
        isFromContact: true,
        firstReplyAt: reply === null ? null : origin + reply * minute,
        waits,
        holds,
      }
      const target = 1 + below(900)
      const isIn = (all: readonly Span[], m: number) =>
        all.some(({ from, to }) => from <= origin + m * minute && (to === null || origin + m * minute < to))
      for (const name of ['reply', 'end'] as const) {
        const clock =
          name === 'reply'
            ? replyClock(given, target * minute, schedule, origin + now * minute)
            : endClock(given, target * minute, schedule, origin + now * minute)
        const stop = name === 'reply' ? (reply ?? end) : end
        // Each minute is counted by itself.
        let [run, due]: [number, number | null] = [0, null]
        const goesOn = (m: number) =>
          open[m] === 1 &&
          !isIn(holds, m) &&
          (stop === null || m < stop) &&
          (name === 'reply' ? m >= start : isIn(waits, m))
        for (let m = start; m < open.length; m++) {
          if (!goesOn(m)) continue
          if (m >= now && stop !== null) break
          run += 1
          if (run === target) due = m + 1
          if (due !== null && m >= now) break
        }
        let soFar = 0
        for (let m = start; m < now; m++) if (goesOn(m)) soFar += 1
        // What is due is due at the end of its last minute.
        const expected = { run: soFar, due: due !== null && (due <= now || stop === null) ? due : null }
        const found = {
          run: (clock?.runMs ?? 0) / minute,
          due: clock?.dueAt == null ? null : (clock.dueAt - origin) / minute,
        }
        judged += 1
        if (expected.due !== null) hadDue += 1
        if (clock?.isKept === false) broken += 1
        const isBeyond = expected.due === null && found.due !== null && found.due > open.length - 1
        const isUnanswered = name === 'reply' && reply === null
        const isKept = stop === null || (isUnanswered && soFar < target) ? null : soFar < target
        if (
          found.run !== expected.run ||
          (found.due !== expected.due && !isBeyond) ||
          clock?.isKept !== isKept
        ) {
          wrong += 1
          if (problems.length < 5)
            problems.push({ name, given, target, now, schedule, expected, found, isKept, is: clock?.isKept })
        }
      }
    }
    console.log(`${judged} clocks, ${hadDue} with a due time, ${broken} broken, ${wrong} wrong`)
    expect(problems).toEqual([])
    expect(broken).toBeGreaterThan(conversations / 20)
  },
)
