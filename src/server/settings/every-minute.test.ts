import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Schedule, type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { seededRandom } from '../testing/inputs/seeded-random.ts'
import { isOpenByOracle, sampleSchedules } from '../testing/inputs/hours-oracle.ts'
import { atNight, spread } from '#server/testing/nightly.ts'
import { forAllTests, testDatabase } from '../testing/test-app.ts'

// Every minute of two years in all time zones, by our rules and by PostgreSQL's `AT TIME ZONE`, with each of
// the sample schedules; and every predicted change against the actual ones. Ordinary runs take some weeks of
// some zones.

const t = forAllTests(testDatabase)

const minuteMs = 60_000
const firstMs = Date.UTC(2026, 0, 1)
const allMinutes = (Date.UTC(2028, 0, 1) - firstMs) / minuteMs
const minutes = atNight(allMinutes, 21 * 24 * 60)
const first = minutes === allMinutes ? 0 : Math.floor(seededRandom('every minute')() * (allMinutes - minutes))
const fromMs = firstMs + first * minuteMs

/** The database cancels a statement after 30 seconds. */
const chunk = 100_000

/** One character per minute: '1' open, '0' closed. */
async function askOracle(schedule: Schedule): Promise<string> {
  let all = ''
  for (let from = 0; from < minutes; from += chunk) {
    const to = Math.min(from + chunk, minutes) - 1
    const isOpenNow = isOpenByOracle(sql`local`, schedule)
    const [answer] = await t.sql<{ signs: string }>`
      select string_agg(case when ${isOpenNow} then '1' else '0' end, '' order by n) as signs
            from (select n, (to_timestamp(${fromMs / 1000}) + n * interval '1 minute')
                            at time zone ${schedule.timezone} as local
                    from generate_series(${from}::int, ${to}::int) n) as every_minute`
    all += answer?.signs ?? ''
  }
  return all
}

/** Minutes at which our answer, with a clock that is late by `lateMinutes`, differs from the database's. */
function differences(schedule: Schedule, expected: string, lateMinutes = 0): string[] {
  const differing: string[] = []
  for (let n = 0; n < minutes; n++) {
    const at = new Date(fromMs + n * minuteMs)
    if (isOpen(schedule, new Date(at.getTime() - lateMinutes * minuteMs)) !== (expected[n] === '1'))
      differing.push(`${at.toISOString()} PostgreSQL says ${expected[n] === '1' ? 'open' : 'closed'}`)
  }
  return differing
}

/** Minutes at which the answer differs from that of the minute before. */
const changesIn = (expected: string) =>
  Array.from({ length: minutes - 1 }, (_, n) => n + 1).filter((n) => expected[n] !== expected[n - 1])

function foretoldChanges(schedule: Schedule): number[] {
  const found: number[] = []
  for (let at = nextChange(schedule, new Date(fromMs)); at; at = nextChange(schedule, at)) {
    const minute = (at.getTime() - fromMs) / minuteMs
    if (minute >= minutes) break
    found.push(minute)
  }
  return found
}

const cases = Object.entries(sampleSchedules).flatMap(([name, hours]) =>
  (Object.keys(timeZones) as TimeZone[]).map((timezone) => ({
    name,
    timezone,
    schedule: { ...hours, timezone },
  })),
)

test.each(spread(cases, 4))(
  '$name in $timezone agrees with the database at every minute',
  async ({ schedule }) => {
    const expected = await askOracle(schedule)
    expect(expected).toHaveLength(minutes)
    expect(differences(schedule, expected).slice(0, 5)).toEqual([])
    expect(foretoldChanges(schedule)).toEqual(changesIn(expected))
  },
  atNight(600_000, 60_000),
)

test('a clock that is a minute late is found', async () => {
  const [{ schedule }] = cases as [(typeof cases)[0]]
  expect(differences(schedule, await askOracle(schedule), 1).length).toBeGreaterThan(0)
}, 600_000)
