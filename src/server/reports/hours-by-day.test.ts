import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type DifferentDay, type Schedule, type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { isOpen, nextChange, openMsBetween } from '#shared/settings/working-hours.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { saveSettings, settingsOfNumber } from '#server/settings/settings.ts'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import { atNight } from '#server/testing/nightly.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { openTime } from './open-time.ts'
import { wallClockOf, workingMinutes, worksAt } from './recount/minutes.ts'

// Hours at random of an installation, a number and a sector, stored and read as they are at work, with days
// that differ, exceptions on such days and nights over which clocks are changed: what the product says of
// each minute, each change and each span, against the recount of reports, which looks at each minute of the
// clock on the wall.

const t = forAllTests(testDatabaseWithNumber)
const random = seededRandom('hours by day')

const minuteMs = 60_000
const dayMs = 86_400_000
const zones = Object.keys(timeZones) as TimeZone[]
const unchanged = '2026-06-17'
/** Nights in which a clock of these zones is set forward or back. */
const clockChanges: Partial<Record<TimeZone, readonly string[]>> = {
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/Los_Angeles': ['2026-03-08', '2026-11-01'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'Europe/London': ['2026-03-29', '2026-10-25'],
  'Europe/Paris': ['2026-03-29', '2026-10-25'],
  'Europe/Lisbon': ['2026-03-29', '2026-10-25'],
}

const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
const chance = (share: number) => random() < share
const pick = <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item
const two = (value: number) => String(value).padStart(2, '0')
const time = () => `${two(between(0, 23))}:${two(pick([0, 0, 15, 30, 59, between(0, 59)]))}`

/** A few hours, a night, a day and a night, or anything. */
function hours() {
  const [one, other] = pick([
    [pick(['07:30', '08:00', '09:00']), pick(['12:00', '17:45', '18:00'])],
    [pick(['20:00', '22:30', '23:59']), pick(['00:30', '02:15', '06:00'])],
    ['00:00', '00:00'],
    [time(), time()],
  ]) as [string, string]
  return one === other && one !== '00:00' ? { start: one, end: '00:00' } : { start: one, end: other }
}
/** Of a length: others were never in effect. */
function lunch() {
  const [start, end] = pick([
    ['12:00', '13:00'],
    ['23:40', '00:20'],
    [time(), time()],
  ]) as [string, string]
  return start === end ? { start: '12:00', end: '12:30' } : { start, end }
}
const weekdays = [0, 1, 2, 3, 4, 5, 6]

const differentDays = (): DifferentDay[] =>
  weekdays
    .filter(() => chance(0.7))
    .map((day) => ({ day, ...hours(), lunch: pick(['usual', 'none', lunch(), lunch()] as const) }))

type Hours = Omit<Schedule, 'timezone'>

/** Hours of their own, in one of the ways in which they may be stored: also by versions without such days. */
function stored(middle: string): Partial<Hours> {
  const usual = { ...hours(), days: weekdays.filter(() => chance(0.6)) }
  const workingHours = chance(0.8) ? { ...usual, differentDays: differentDays() } : usual
  const scheduleExceptions = [-1, 0, 1]
    .filter(() => chance(0.3))
    .map((days) => ({
      date: new Date(Date.parse(middle) + days * dayMs).toISOString().slice(0, 10),
      hours: chance(0.6) ? hours() : null,
      message: '',
    }))
  const all = { workingHours, lunchBreak: { enabled: chance(0.7), ...lunch() }, scheduleExceptions }
  return pick<Partial<Hours>>([
    all,
    all,
    { workingHours },
    { lunchBreak: all.lunchBreak },
    { scheduleExceptions },
    {},
  ])
}

interface World {
  timezone: TimeZone
  middle: string
  installation: Hours
  number: Partial<Hours>
  sector: Partial<Hours>
}

function world(): World {
  const timezone = pick(chance(0.6) ? (Object.keys(clockChanges) as TimeZone[]) : zones)
  const middle = pick(clockChanges[timezone] ?? [unchanged])
  const installation = {
    workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
    lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
    scheduleExceptions: [],
    ...stored(middle),
  }
  return { timezone, middle, installation, number: stored(middle), sector: stored(middle) }
}

/** What of several stored hours applies: the first that has them. Days that differ belong to their hours. */
const applying = (timezone: TimeZone, ...given: Partial<Hours>[]) => {
  const first = <Key extends keyof Hours>(key: Key) =>
    given.find((one) => one[key] !== undefined)?.[key] as Hours[Key]
  return {
    timezone,
    workingHours: first('workingHours'),
    lunchBreak: first('lunchBreak'),
    scheduleExceptions: first('scheduleExceptions'),
  }
}

/** The minutes of three days, of each whether it is open, by the clock on the wall. */
function recounted(schedule: Schedule, fromMs: number) {
  const read = wallClockOf(schedule.timezone)
  return Array.from({ length: 3 * 24 * 60 }, (_, n) => worksAt(schedule, read(fromMs + n * minuteMs)))
}

/** @returns what differs from the recount of the hours that were meant, and how many questions were asked */
function compare(schedule: Schedule, meant: Schedule, fromMs: number) {
  const expected = recounted(meant, fromMs)
  const toMs = fromMs + expected.length * minuteMs
  const wrong: string[] = []
  let asked = 0
  const expectSame = (what: string, ms: number, said: unknown, is: unknown) => {
    asked++
    if (said !== is) wrong.push(`${what} ${new Date(ms).toISOString()}: ${String(said)}, not ${String(is)}`)
  }
  const open = openTime(schedule, fromMs, toMs)
  for (const [n, is] of expected.entries()) {
    const ms = fromMs + n * minuteMs
    expectSame('open', ms, isOpen(schedule, new Date(ms)), is)
    expectSame('open in reports', ms, open.isOpenAt(ms), is)
  }
  const changes = expected.flatMap((is, n) =>
    n > 0 && is !== expected[n - 1] ? [fromMs + n * minuteMs] : [],
  )
  let at = fromMs
  for (const change of changes) {
    expectSame('change after', at, nextChange(schedule, new Date(at))?.getTime(), change)
    at = change
  }
  const after = nextChange(schedule, new Date(at))?.getTime() ?? Infinity
  expectSame('no change after', at, after >= toMs, true)
  const working = workingMinutes(meant, fromMs, toMs)
  for (let n = 0; n < 40; n++) {
    const from = fromMs + Math.floor(random() * (toMs - fromMs))
    const to = from + Math.floor(random() * (toMs - from))
    expectSame('time since', from, openMsBetween(schedule, new Date(from), new Date(to)), working(from, to))
    expectSame('time in reports', from, open.between(from, to), working(from, to))
  }
  return { wrong, asked }
}

const startOf = ({ middle }: World) => Date.parse(middle) - dayMs

test(
  'hours by day of installation, number and sector are those of the clock on the wall, minute by minute',
  async () => {
    const [sector] = await t.database
      .insert(sectors)
      .values({ name: 'Plantão', color: '#0d9488' })
      .returning({ id: sectors.id })
    const sectorId = sector?.id ?? 0
    const wrong: string[] = []
    let asked = 0
    for (let n = 0; n < atNight(120, 8); n++) {
      const one = world()
      const { timezone, installation, number, sector: ofSector } = one
      await saveSettings(t.database, { timezone, ...installation })
      const ofNumber = eq(evolutionApiConfig.id, t.instanceId)
      await t.database.update(evolutionApiConfig).set({ ownSettings: number }).where(ofNumber)
      await t.database.update(sectors).set({ ownSettings: ofSector }).where(eq(sectors.id, sectorId))
      for (const [place, schedule, meant] of [
        ['installation', await settingsOfNumber(t.database, 0), applying(timezone, installation)],
        [
          'number',
          await settingsOfNumber(t.database, t.instanceId),
          applying(timezone, number, installation),
        ],
        [
          'sector',
          await settingsOfNumber(t.database, t.instanceId, sectorId),
          applying(timezone, ofSector, number, installation),
        ],
      ] as const) {
        const result = compare(schedule, meant, startOf(one))
        asked += result.asked
        wrong.push(...result.wrong.slice(0, 3).map((what) => `${place}, ${JSON.stringify(meant)}: ${what}`))
      }
    }
    console.info(`${asked} comparisons, ${wrong.length} wrong`)
    expect(wrong.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThan(atNight(3_000_000, 200_000))
  },
  atNight(600_000, 60_000),
)

const meant: Schedule = {
  workingHours: {
    start: '08:00',
    end: '18:00',
    days: [1, 2, 3, 4, 5],
    differentDays: [
      { day: 6, start: '20:00', end: '04:00', lunch: { start: '23:30', end: '00:30' } },
      { day: 0, start: '00:00', end: '00:00', lunch: 'none' },
    ],
  },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/New_York',
  // The Sunday on which clocks are set forward.
  scheduleExceptions: [{ date: '2026-03-08', hours: { start: '10:00', end: '11:00' }, message: '' }],
}
const withDays = (change: (day: DifferentDay) => DifferentDay[]): Schedule => ({
  ...meant,
  workingHours: {
    ...meant.workingHours,
    differentDays: (meant.workingHours.differentDays ?? []).flatMap(change),
  },
})

test.each<[string, Schedule]>([
  ['leaves out the lunch of a day', withDays((day) => [{ ...day, lunch: 'none' }])],
  ['gives every day the usual lunch', withDays((day) => [{ ...day, lunch: 'usual' }])],
  ['lets a day win over an exception', { ...meant, scheduleExceptions: [] }],
  ['ends the night of a day at midnight', withDays((day) => [{ ...day, end: '00:00' }])],
  ['does not open a day that is none of the usual ones', withDays(() => [])],
  ['is a minute late', withDays((day) => [day.day === 6 ? { ...day, start: '20:01' } : day])],
])('the recount of hours by day finds a server that %s', (_, faulty) => {
  const fromMs = Date.parse('2026-03-07T05:00:00Z')
  expect(compare(meant, meant, fromMs).wrong).toEqual([])
  expect(compare(faulty, meant, fromMs).wrong.length).toBeGreaterThan(0)
})
