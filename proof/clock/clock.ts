import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { quantile } from '../support/latencies.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import {
  type Chat,
  checkEnd,
  makeChats,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from '../support/two-instances.ts'
import { createMovableClock, type MovableClock } from './movable-clock.ts'
import { type Traffic, startTraffic } from './traffic.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const movesMs = [2 * hourMs, -2 * hourMs, 2 * dayMs, -2 * dayMs]
/** For how long the clock is wrong. */
const wrongMs = 10_000
/** For how long it is right until it is moved again, after all is done. */
const rightMs = 3000
/** Within this time after the correction everything is done that was due. */
const mostMs = 20_000
/** After this time it is no longer waited for. */
const giveUpMs = 90_000

interface Ground {
  at: TwoInstances
  clock: MovableClock
  chats: Chat[]
  random: Random
}

/** A move of the clock, and how long after its correction all was done, in milliseconds. */
interface Moved {
  move: string
  doneMs: number
  /** What was not done by `giveUpMs`. */
  left: string[]
  /** What was done last. */
  last: string[]
}

interface Observed {
  moved: Moved[]
  traffic: Traffic
  stuck: string | undefined
}

/** How far the clock of the database is ahead of this machine's, in milliseconds. */
async function readAhead({ at }: Ground): Promise<number> {
  const [row] = await rows<{ ms: number }>(
    at.database,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return (row?.ms ?? Number.NaN) - Date.now()
}

async function moveTo(ground: Ground, aheadMs: number): Promise<void> {
  ground.clock.move(aheadMs)
  const ahead = await readAhead(ground)
  if (Math.abs(ahead - aheadMs) > 2000) throw new Error(`the clock is ${ahead} ms ahead, not ${aheadMs}`)
}

/** The periodic tasks that have not run since the clock is right. */
async function lateTasks({ at }: Ground, correctedAt: string): Promise<string[]> {
  const found = await rows<{ name: string }>(
    at.database,
    sql`select n as name from unnest(array['queue', 'inactivity']) n
         where not exists (select from jobs
                            where name = n and done_at between ${correctedAt}::timestamptz and now())`,
  )
  return found.map(({ name }) => `the task '${name}'`)
}

/** Waits until all that was due when the clock was corrected is done. */
async function waitForDue(ground: Ground, traffic: Traffic): Promise<Omit<Moved, 'move'>> {
  const startedAt = performance.now()
  const [now] = await rows<{ at: string }>(ground.at.database, sql`select now()::text as at`)
  const due = traffic.underWay()
  for (let last: string[] = []; ; await sleep(250)) {
    const left = [...(await due.left()), ...(await lateTasks(ground, now?.at ?? ''))]
    const doneMs = performance.now() - startedAt
    if (left.length === 0 || doneMs > giveUpMs) return { doneMs, left, last }
    last = left
  }
}

const named = (ms: number) => `${ms < 0 ? '-' : '+'}${Math.abs(ms) < dayMs ? '2 h' : '2 days'}`

/**
 * The clock of the database is moved by two hours or two days, either way, for ten seconds, and set right,
 * while clients write and people answer through two instances. What was due is done within 20 s of the
 * correction, the periodic tasks run again, and nothing comes twice.
 */
export const clock = defineScenario({
  options: { moves: 20, clients: 24 },
  nightly: { moves: 3 },

  async arrange({ options, defer, random }): Promise<Ground> {
    const movable = createMovableClock()
    defer(movable.remove)
    const at = await startTwoInstances({ server: { env: movable.env }, avatarTimes: 'never' })
    defer(at.close)
    const chats = await makeChats(at, 0, options.clients)
    const ground = { at, clock: movable, chats, random }
    await moveTo(ground, 0)
    return ground
  },

  async act(ground, { options: { moves }, print, defer }): Promise<Observed> {
    const traffic = await startTraffic(ground.at, ground.chats, ground.random)
    defer(traffic.stop)
    const moved: Moved[] = []
    for (let n = 0; n < moves; n++) {
      const aheadMs = movesMs[n % movesMs.length] ?? 0
      await moveTo(ground, aheadMs)
      await sleep(wrongMs)
      await moveTo(ground, 0)
      const done = await waitForDue(ground, traffic)
      moved.push({ move: named(aheadMs), ...done })
      const last = done.last.slice(0, 3).join(', ') || 'nothing'
      const after = (done.doneMs / 1000).toFixed(1)
      print(`  ${named(aheadMs)}: all done ${after} s after the correction, last ${last}`)
      await sleep(rightMs)
    }
    await traffic.stop()
    const stuck = await untilQuiet(ground.at, { stuckAfterMs: giveUpMs })
    const delays = moved.map(({ doneMs }) => doneMs / 1000)
    const of = (part: number) => quantile(delays, part).toFixed(1)
    print(`  ${traffic.counts()}; done after p50 ${of(0.5)}, max ${of(1)} s`)
    return { moved, traffic, stuck }
  },

  async check({ moved, traffic, stuck }, { at }): Promise<Result[]> {
    const closed = await rows<{ id: number }>(
      at.database,
      sql`select id from conversations where status = 'completed' and not is_history`,
    )
    return [
      {
        property: 'what was due is done within 20 s of the correction',
        checked: moved.length,
        faults: moved
          .filter(({ doneMs }) => doneMs > mostMs)
          .map(
            ({ move, doneMs, left }) => `${move}: ${(doneMs / 1000).toFixed(1)} s, left: ${left.join(', ')}`,
          ),
      },
      ...(await traffic.check()),
      {
        property: 'no conversation is closed by the clock',
        checked: 1,
        faults: closed.map(({ id }) => `conversation ${id}`),
      },
      ...checkEnd(at, stuck),
    ]
  },
})
