import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inTransaction } from '#server/platform/database/db.ts'
import { createRandom } from '#simulator/random.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { checkEnd, untilQuiet } from '../support/two-instances.ts'
import {
  type Act,
  clientWrites,
  comeOrGo,
  finalize,
  hold,
  look,
  pauseOrReturn,
  reply,
  runMacro,
  schedule,
  takeNext,
  takeUp,
  transferToPerson,
  transferToSector,
} from './acts.ts'
import { ask } from './ask.ts'
import { connect, type Office, openOffice, pass, setState } from './office.ts'
import { judgeDay } from './rules.ts'
import { Timecard } from './timecard.ts'
import { takeTurns } from './turns.ts'

/** What may happen, and how often. */
const acts: readonly (readonly [number, Act])[] = [
  [30, clientWrites],
  [16, takeNext],
  [28, reply],
  [8, hold],
  [2, takeUp],
  [7, schedule],
  [4, transferToPerson],
  [4, transferToSector],
  [16, finalize],
  [8, runMacro],
  [6, pauseOrReturn],
  [3, comeOrGo],
  [3, look],
]
const total = acts.reduce((sum, [weight]) => sum + weight, 0)

function draw({ random }: Office): Act {
  let left = random() * total
  return (acts.find(([weight]) => (left -= weight) < 0) ?? acts[0])?.[1] ?? clientWrites
}

const hourMs = 3_600_000
const minuteMs = 60_000

/** Ends once every text has left; those that come by themselves do not wait for their pace. */
async function untilSent(office: Office): Promise<void> {
  for (let tries = 0; ; tries++) {
    const [row] = await ask<{ n: number }>(
      office,
      sql`select count(*)::int as n from outbox where state in ('pending', 'sending', 'unknown')`,
    )
    if (row?.n === 0) return
    if (tries > 5000) throw new Error(`${row?.n} texts do not leave`)
    await inTransaction(office.database, async (db) => {
      await db.execute(sql`update evolution_api_config set next_automatic_at = now()`)
      db.signal('outbox')
    })
    await sleep(5)
  }
}

/**
 * From half past seven until half past six: every minute or two some of the team and of their clients do
 * something, several at once, and what the product does by itself goes on beside them.
 * @returns how many acts there were
 */
async function playDay(office: Office, start: Date): Promise<number> {
  const { clock, random } = office
  await clock.set(start)
  await pass(office, 0)
  for (const worker of office.workers) worker.timecard = new Timecard()
  for (const worker of office.workers) if (random() < 0.8) await connect(office, worker, true)
  let count = 0
  while ((await clock.now()).getTime() < start.getTime() + 11 * hourMs) {
    const together = Array.from({ length: 1 + Math.floor(random() * 8) }, () => draw(office))
    count += together.length
    // Nobody is two people: what changes who somebody is comes one by one.
    const alone = together.filter((act) => act === pauseOrReturn || act === comeOrGo)
    for (const act of alone) await act(office)
    await Promise.all([
      ...together.filter((act) => !alone.includes(act)).map((act) => act(office)),
      random() < 0.5 ? takeTurns(office) : undefined,
    ])
    await pass(office, Math.floor(random() * 5 * minuteMs))
  }
  for (const worker of office.workers) {
    if (worker.timecard.state === 'paused' || worker.timecard.state === 'away')
      await setState(office, worker, 'available')
    if (worker.timecard.state !== 'gone') await connect(office, worker, false)
  }
  // A connection that is lost counts as one for two minutes more.
  await pass(office, 3 * minuteMs)
  await takeTurns(office)
  await untilSent(office)
  return count
}

/** Waits until the reports have counted everything. */
async function untilCounted(office: Office): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    const [row] = await ask<{ n: number }>(office, sql`select count(*)::int as n from facts_due`)
    if (row?.n === 0) return
    await sleep(10)
  }
  throw new Error('the reports do not come to an end')
}

/**
 * Days of a team of thirty with three sectors: pauses, holds, scheduled messages, macros, reasons and targets
 * at once, on a clock that is moved, at two instances. In the evening of each day nothing that was written is
 * lost or doubled, and every figure is what people did.
 */
export const teamDays = defineScenario({
  options: { days: 20 },
  nightly: { days: 4 },

  arrange: ({ defer, random }) => openOffice(defer, random),

  async act(office, { options: { days }, random, print, seconds }) {
    const { clock } = office
    const first = new Date((await clock.now()).getTime() + 48 * hourMs)
    first.setUTCHours(10, 30, 0, 0)
    const judged: Result[] = []
    for (let n = 0, played = 0; played < days; n++) {
      const start = new Date(first.getTime() + n * 24 * hourMs)
      if ([0, 6].includes(start.getUTCDay())) continue
      played++
      const seed = Math.floor(random() * 1_000_000)
      office.random = createRandom(seed)
      const count = await playDay(office, start)
      await untilCounted(office)
      const results = await judgeDay(office, start.toISOString().slice(0, 10))
      const faults = results.flatMap((result) => result.faults)
      judged.push(...results)
      print(`  day ${played}, seed ${seed}: ${count} acts, ${faults.length} faults, ${seconds()} s`)
      for (const fault of faults.slice(0, 3)) print(`    ${fault}`)
    }
    const stuck = await untilQuiet(office.at, { stuckAfterMs: 30_000 })
    return { judged, stuck }
  },

  check({ judged, stuck }, office, { print }) {
    for (const [what, n] of [...office.answers].toSorted(([a], [b]) => a.localeCompare(b)))
      print(`  ${what}: ${n}`)
    const byProperty = Map.groupBy(judged, ({ property }) => property)
    return [
      ...[...byProperty].map(([property, results]) => ({
        property,
        checked: results.reduce((sum, { checked }) => sum + checked, 0),
        faults: results.flatMap(({ faults }) => faults),
      })),
      ...checkEnd(office.at, stuck),
    ]
  },
})
