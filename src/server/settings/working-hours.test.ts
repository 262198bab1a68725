import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Schedule, type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { isOpenByOracle, sampleSchedules } from '../testing/inputs/hours-oracle.ts'
import { seededRandom } from '../testing/inputs/seeded-random.ts'
import { forAllTests, testDatabase } from '../testing/test-app.ts'

const t = forAllTests(testDatabase)

const random = seededRandom('working hours')
const zones = Object.keys(timeZones) as TimeZone[]
const minuteMs = 60_000
const firstMinute = Date.UTC(2026, 0, 1) / minuteMs
const minutes = Date.UTC(2028, 0, 1) / minuteMs - firstMinute

/** Asks PostgreSQL about many instants at once. */
async function ask(schedule: Schedule, instants: Date[]): Promise<boolean[]> {
  const local = sql`(t.at at time zone ${schedule.timezone})`
  const answers = await t.sql<{ open: boolean }>`select ${isOpenByOracle(local, schedule)} as open
          from unnest(${sql.param(instants.map((each) => each.toISOString()))}::timestamptz[])
               with ordinality as t(at, n) order by n`
  return answers.map(({ open }) => open)
}

describe.each(Object.entries(sampleSchedules))('%s', (_, hours) => {
  test.each(zones)(
    'the schedule in %s agrees with the database at sampled minutes and around every change of a year',
    async (timezone) => {
      const schedule = { ...hours, timezone }
      const sampled = Array.from({ length: 3400 }, () => firstMinute + Math.floor(random() * minutes))
      const changes: number[] = []
      for (let at: Date | null = new Date(firstMinute * minuteMs); at && changes.length < 60;) {
        at = nextChange(schedule, at)
        if (at) changes.push(at.getTime() / minuteMs - 1, at.getTime() / minuteMs)
      }
      const instants = [...sampled, ...changes].map((minute) => new Date(minute * minuteMs))
      const answers = await ask(schedule, instants)
      const differing = instants.filter((at, index) => isOpen(schedule, at) !== answers[index])
      expect(differing).toEqual([])
      // Every predicted change is an actual one.
      for (let n = 0; n < changes.length; n += 2)
        expect(answers[sampled.length + n]).not.toBe(answers[sampled.length + n + 1])
    },
  )
})
