import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { startWatchedDemo, type WatchedDemo } from '../support/watched-demo.ts'
import type { Memory } from '../support/watched-program.ts'
import { formatMemory, growsLittle, printStatuses, runsOn } from '../support/watched-results.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { send } from '../support/raw-request.ts'
import { createFuzzer, type FuzzedRequest } from './bodies.ts'

/**
 * Bodies after which the program is warm. Until then it compiles what is called often and its pools grow: the
 * memory grows by a fifth, the heap does not.
 */
const warmUpBodies = 16_000
/** The parts of the rest after which the memory is read; equal, since a longer one makes a longer queue. */
const stretches = [0.25, 0.5, 0.75, 1]
/** More than any call takes, even on a busy machine. */
const patienceMs = 30_000

interface Target extends WatchedDemo {
  connections: number
  next: () => FuzzedRequest
  posted: number
  statuses: Map<string, number>
  print: (line: string) => void
}

async function post(
  { program, agent, secret, statuses, print }: Target,
  { path, type, body }: FuzzedRequest,
  number: number,
): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, ...(type !== undefined && { 'content-type': type }) }
  const answer = await send(program.url, agent, { method: 'POST', path, headers, body }, patienceMs)
  const status = typeof answer === 'string' ? `no answer: ${answer}` : String(answer.status)
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (typeof answer === 'string') print(`  no answer: no. ${number} (${answer}) ${body.slice(0, 300)}`)
}

async function postAll(target: Target, upTo: number): Promise<void> {
  const posting = Array.from({ length: target.connections }, async () => {
    while (target.posted < upTo && target.program.seen.exits === 0) {
      const number = ++target.posted
      if (number % 20_000 === 0) target.print(`  ${number} posted`)
      await post(target, target.next(), number)
    }
  })
  await Promise.all(posting)
}

const waiting = sql`processed_at is null and dead_reason is null and instance_id is not null`

const checkEveryMs = 500
/** Counting a long queue would disturb the measurement, so most checks only ask whether it is empty. */
const checksToCount = 20

async function drain({ database, program }: Target): Promise<void> {
  for (let check = 0, before = -1, still = 0; program.seen.exits === 0; check++) {
    if ((await rows(database, sql`select 1 from webhook_inbox where ${waiting} limit 1`)).length === 0) return
    await sleep(checkEveryMs)
    if (check % checksToCount !== 0) continue
    const [row] = await rows<{ n: number }>(
      database,
      sql`select count(*)::int as n from webhook_inbox where ${waiting}`,
    )
    const left = row?.n ?? 0
    still = left === before ? still + 1 : 0
    if (still > 6) throw new Error(`the inbox stopped at ${left} events`)
    before = left
  }
}

interface Dead extends Record<string, unknown> {
  event: string
  reason: string
  n: number
  example: string
}

interface Kept extends Record<string, unknown> {
  rows: number
  attempts: number
  messages: number
  contacts: number
  deadlocks: number
  disk: string
}

/** The effects of the bodies in the database. */
async function readKept(database: Database): Promise<{ dead: Dead[]; kept: Kept | undefined }> {
  const dead = await rows<Dead>(
    database,
    sql`select event, dead_reason as reason, count(*)::int as n, left(min(payload::text), 600) as example
          from webhook_inbox where dead_reason is not null group by 1, 2 order by 3 desc limit 30`,
  )
  const [kept] = await rows<Kept>(
    database,
    sql`select count(*)::int as rows, coalesce(sum(attempts), 0)::int as attempts,
               (select count(*)::int from messages) as messages, (select count(*)::int
                     from contacts) as contacts,
               (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks,
               pg_size_pretty(pg_database_size(current_database())) as disk
          from webhook_inbox`,
  )
  return { dead, kept }
}

/**
 * Posts damaged and arbitrary bodies to the webhook of a demonstration, with the correct secret, and waits
 * until all are processed. It fails if an answer is a 5xx, an error is not handled, the program exits, a body
 * is put aside, or memory grows by more than a tenth once it is warm.
 */
export const fuzzWebhook = defineScenario({
  options: { bodies: 20_000, connections: 24 },
  nightly: { bodies: 20_000 },

  async arrange({ options: { connections }, random, print, defer }): Promise<Target> {
    const demo = await startWatchedDemo('fuzz', connections, defer)
    const next = createFuzzer(random, demo.instance)
    return { ...demo, connections, next, posted: 0, statuses: new Map(), print }
  },

  async act(target, { options: { bodies: count }, print }) {
    let [postMs, drainMs] = [0, 0]
    const memory: Memory[] = []
    const ends = [
      ...stretches.map((part) => warmUpBodies * part),
      ...stretches.map((part) => warmUpBodies + Math.ceil(count * part)),
    ]
    for (const end of ends) {
      const startedAt = performance.now()
      await postAll(target, end)
      const postedAt = performance.now()
      await drain(target)
      postMs += postedAt - startedAt
      drainMs += performance.now() - postedAt
      const now = await target.program.memory()
      if (end >= warmUpBodies) memory.push(now)
      print(`  memory after ${end} bodies: ${formatMemory(now)}`)
    }
    const all = warmUpBodies + count
    const rate = (ms: number) =>
      `${(ms / 1000).toFixed(1)} s (${Math.round((all * 1000) / Math.max(ms, 1))}/s)`
    print(`posted in ${rate(postMs)}, processed in ${rate(postMs + drainMs)}`)
    return memory
  },

  async check(memory, { database, program, statuses }, { print }): Promise<Result[]> {
    const { dead, kept } = await readKept(database)
    const { seen } = program
    printStatuses(statuses, print)
    const count = statuses.values().reduce((sum, n) => sum + n, 0)
    print(
      `inbox ${kept?.rows}, failed attempts ${kept?.attempts}; messages ${kept?.messages}, contacts ` +
        `${kept?.contacts}; deadlocks ${kept?.deadlocks}; database ${kept?.disk}`,
    )
    for (const [message, n] of seen.errors) print(`  log: ${message} × ${n}: ${seen.examples.get(message)}`)
    return [
      {
        property: 'every body is answered below 500',
        checked: count,
        faults: [...statuses].flatMap(([status, n]) => (/^[234]/.test(status) ? [] : [`${n} × ${status}`])),
      },
      {
        property: 'no body is put aside',
        checked: kept?.rows ?? 0,
        faults: dead.map((row) => `${row.n} × ${row.event}: ${row.reason} ${row.example}`),
      },
      runsOn(program),
      growsLittle(memory, print),
    ]
  },
})
