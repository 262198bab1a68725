import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/db.ts'
import { isOpenByOracle, sampleSchedules } from '#server/testing/hours-oracle.ts'
import { isOpen, nextChange, type Schedule, type TimeZone, timeZones } from '#shared/working-hours.ts'
import { readOptions, say } from './command.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run hours -- --from 2026 --years 2`: every minute of two years in all zones, asked of our rules and of PostgreSQL's
 * `AT TIME ZONE`, under each of the sample schedules; and every change that is foretold against those that happen. With
 * `--late 1` ours answers a minute late, and the run must fail.
 * @see reliability F-23
 */
const { from, years, late } = readOptions({ from: 2026, years: 2, late: 0 })

const minuteMs = 60_000
const firstMs = Date.UTC(from, 0, 1)
const minutes = (Date.UTC(from + years, 0, 1) - firstMs) / minuteMs

const { database, close } = await startThrowawayDatabase('hours', 2)

/** So many are asked at once: the database ends what takes it longer than half a minute. */
const chunk = 100_000

/** Whether it is open, a sign a minute: '1' or '0'. */
async function askOracle(schedule: Schedule): Promise<string> {
  let all = ''
  for (let first = 0; first < minutes; first += chunk) {
    const last = Math.min(first + chunk, minutes) - 1
    const [answer] = await rows<{ signs: string }>(
      database,
      sql`select string_agg(case when ${isOpenByOracle(sql`local`, schedule)} then '1' else '0' end, '' order by n) as signs
            from (select n, (to_timestamp(${firstMs / 1000}) + n * interval '1 minute') at time zone ${schedule.timezone} as local
                    from generate_series(${first}::int, ${last}::int) n) as every_minute`,
    )
    all += answer?.signs ?? ''
  }
  return all
}

function differencesOf(schedule: Schedule, expected: string): string[] {
  const differing: string[] = []
  for (let n = 0; n < minutes; n++) {
    const at = new Date(firstMs + n * minuteMs)
    if (isOpen(schedule, new Date(at.getTime() - late * minuteMs)) !== (expected[n] === '1'))
      differing.push(`${at.toISOString()} PostgreSQL diz ${expected[n] === '1' ? 'aberto' : 'fechado'}`)
  }
  return differing
}

/** Every minute at which the answer is another than a minute before. */
const flipsOf = (expected: string) =>
  Array.from({ length: minutes - 1 }, (_, n) => n + 1).filter((n) => expected[n] !== expected[n - 1])

function foretold(schedule: Schedule): number[] {
  const found: number[] = []
  for (let at = nextChange(schedule, new Date(firstMs)); at; at = nextChange(schedule, at)) {
    const minute = (at.getTime() - firstMs) / minuteMs
    if (minute >= minutes) break
    found.push(minute)
  }
  return found
}

let asked = 0
let wrong = 0
try {
  const [server] = await rows<{ version: string }>(database, sql`select version()`)
  const system = '/usr/share/zoneinfo/tzdata.zi'
  say(`fusos daqui: ${process.versions['tz']} (ICU ${process.versions['icu']})`)
  say(`fusos do oráculo: os que vêm com ${server?.version.split(' on ')[0]}`)
  if (existsSync(system)) say(`fusos da máquina: ${readFileSync(system, 'utf8').split('\n')[0]?.slice(10)}`)
  const startMs = performance.now()
  for (const [name, hours] of Object.entries(sampleSchedules)) {
    say(`\n${name}`)
    for (const timezone of Object.keys(timeZones) as TimeZone[]) {
      const schedule = { ...hours, timezone }
      const expected = await askOracle(schedule)
      const differing = differencesOf(schedule, expected)
      const [flips, told] = [flipsOf(expected), foretold(schedule)]
      const mistold = flips.length !== told.length || flips.some((minute, n) => told[n] !== minute)
      asked += minutes
      wrong += differing.length + (mistold ? 1 : 0)
      say(
        `  ${timezone.padEnd(32)} ${minutes} minutos, ${differing.length} diferentes, ${flips.length} mudanças${mistold ? ', previstas de outro modo' : ''}`,
      )
      for (const line of differing.slice(0, 5)) say(`    ${line}`)
    }
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
  say(`\n${asked} minutos em ${seconds} s: ${wrong} diferenças`)
} finally {
  await close()
}
process.exitCode = asked > 0 && wrong === 0 ? 0 : 1
