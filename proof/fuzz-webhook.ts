import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/db.ts'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { send } from './fuzz/call.ts'
import { startWatched, type WatchedProgram } from './fuzz/watched-program.ts'
import { createFuzzer, type Shot } from './fuzz-bodies.ts'

/**
 * `npm run fuzz -- --bodies 200000 --seed 7`: starts the program with a demonstration of its own, posts so many damaged
 * and arbitrary bodies to its webhook with the right secret, waits until all of them are worked off, and prints what
 * became of them. Fails when one was answered 5xx, an error went uncaught, the program ended, or a body was put aside.
 */
const { bodies: count, connections, seed } = readOptions({ bodies: 20_000, connections: 24 })

// Started as root, the database runs as another account, which must be able to pass through.
const dataDir = mkdtempSync(join(tmpdir(), 'balcao-fuzz-'))
chmodSync(dataDir, 0o711)
const removeData = () => rmSync(dataDir, { recursive: true, force: true })
const own = { DATA_DIR: dataDir, LOG_LEVEL: 'error' }
const env = { ...process.env, ...own }
/** Of all bodies, each as long as the first, which is the warming up: a longer one makes a longer queue. */
const stretches = [0.2, 0.4, 0.6, 0.8, 1]
const mostGrowth = 1.1
/** Longer takes nothing here, on however busy a machine. */
const patienceMs = 30_000

async function secretOf(database: Database): Promise<{ instance: string; secret: string }> {
  const config = readConfig(env, true)
  for (let n = 0; n < 100; n++) {
    const [row] = await rows<{ instance: string; sealed: string | null }>(
      database,
      sql`select instance_name as instance, webhook_secret_encrypted as sealed from evolution_api_config limit 1`,
    )
    if (row?.sealed)
      return {
        instance: row.instance,
        secret: openSecrets(config.secretKey, config.dataDir).decrypt(row.sealed),
      }
    await sleep(100)
  }
  throw new Error('a demonstração não registrou o webhook')
}

const statuses = new Map<string, number>()
const countStatus = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)

interface Range {
  program: WatchedProgram
  database: Database
  agent: Agent
  secret: string
  next: () => Shot
}

async function shoot({ program, agent, secret }: Range, shot: Shot, number: number): Promise<void> {
  const { path, type, body } = shot
  const headers = { authorization: `Bearer ${secret}`, ...(type !== undefined && { 'content-type': type }) }
  const answer = await send(program.url, agent, { method: 'POST', path, headers, body }, patienceMs)
  countStatus(typeof answer === 'string' ? `sem resposta: ${answer}` : String(answer.status))
  if (typeof answer === 'string') say(`  sem resposta: nº ${number} (${answer}) ${body.slice(0, 300)}`)
}

let posted = 0

async function bombard(range: Range, upTo: number): Promise<void> {
  const shooters = Array.from({ length: connections }, async () => {
    while (posted < upTo && range.program.seen.exits === 0) {
      posted++
      if (posted % 20_000 === 0) say(`  enviados ${posted}`)
      await shoot(range, range.next(), posted)
    }
  })
  await Promise.all(shooters)
}

const waiting = sql`processed_at is null and dead_reason is null and instance_id is not null`

const lookEveryMs = 500
/** Counting a long queue costs what is being measured: most looks ask only whether there is one. */
const looksToCount = 20

async function drain({ database, program }: Range): Promise<void> {
  for (let look = 0, before = -1, still = 0; program.seen.exits === 0; look++) {
    if ((await rows(database, sql`select 1 from webhook_inbox where ${waiting} limit 1`)).length === 0) return
    await sleep(lookEveryMs)
    if (look % looksToCount !== 0) continue
    const [row] = await rows<{ n: number }>(
      database,
      sql`select count(*)::int as n from webhook_inbox where ${waiting}`,
    )
    const left = row?.n ?? 0
    still = left === before ? still + 1 : 0
    if (still > 6) throw new Error(`a entrada parou com ${left} eventos`)
    before = left
  }
}

interface Dead extends Record<string, unknown> {
  event: string
  reason: string
  n: number
  example: string
}

/** In MiB. */
interface Memory {
  rss: number
  heap: number
}

const told = ({ rss, heap }: Memory) => `${rss.toFixed(0)} MiB (heap ${heap.toFixed(0)})`

interface Measured {
  postMs: number
  drainMs: number
  /** After each stretch, when all of it was worked off. */
  memory: Memory[]
}

function tellMeasured({ postMs, drainMs, memory }: Measured): void {
  const perSecond = (ms: number) => Math.round((count * 1000) / Math.max(ms, 1))
  say(
    `semente ${seed}, ${count} corpos: enviados em ${(postMs / 1000).toFixed(1)} s (${perSecond(postMs)}/s)`,
  )
  say(`trabalhados em ${((postMs + drainMs) / 1000).toFixed(1)} s (${perSecond(postMs + drainMs)}/s)`)
  say(`memória no fim contra aquecido: × ${growthOf(memory).toFixed(3)} (limite ${mostGrowth})`)
}

const growthOf = (memory: Memory[]) => (memory.at(-1)?.rss ?? 0) / (memory[0]?.rss ?? 1)

async function report({ database, program }: Range, measured: Measured): Promise<boolean> {
  const dead = await rows<Dead>(
    database,
    sql`select event, dead_reason as reason, count(*)::int as n, left(min(payload::text), 600) as example
          from webhook_inbox where dead_reason is not null group by 1, 2 order by 3 desc limit 30`,
  )
  const [kept] = await rows<{
    rows: number
    attempts: number
    messages: number
    contacts: number
    deadlocks: number
    disk: string
  }>(
    database,
    sql`select count(*)::int as rows, coalesce(sum(attempts), 0)::int as attempts,
               (select count(*)::int from messages) as messages, (select count(*)::int from contacts) as contacts,
               (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks,
               pg_size_pretty(pg_database_size(current_database())) as disk
          from webhook_inbox`,
  )
  const sorted = [...statuses].toSorted(([a], [b]) => a.localeCompare(b))
  const sum = (isOne: (status: string) => boolean) =>
    sorted.filter(([status]) => isOne(status)).reduce((total, [, n]) => total + n, 0)
  const server = sum((status) => !/^[234]/.test(status))
  const deadCount = dead.reduce((total, row) => total + row.n, 0)
  const { seen } = program
  tellMeasured(measured)
  say(`2xx: ${sum((status) => status.startsWith('2'))}; 5xx ou sem resposta: ${server}`)
  for (const [status, n] of sorted) say(`  ${status}: ${n}`)
  say(`sem tratamento: ${seen.unhandled}; saídas: ${seen.exits}; postos de lado: ${deadCount}`)
  say(
    `na entrada: ${kept?.rows}, tentativas falhas: ${kept?.attempts}; mensagens: ${kept?.messages}; contatos: ${kept?.contacts}; impasses no banco: ${kept?.deadlocks}; banco: ${kept?.disk}`,
  )
  for (const [message, n] of seen.errors) say(`  registro: ${message} × ${n}: ${seen.examples.get(message)}`)
  for (const row of dead) say(`  DE LADO ${row.n} × ${row.event}: ${row.reason}\n    ${row.example}`)
  return (
    server === 0 &&
    seen.unhandled === 0 &&
    seen.exits === 0 &&
    deadCount === 0 &&
    growthOf(measured.memory) <= mostGrowth
  )
}

async function run(program: WatchedProgram): Promise<boolean> {
  const { database, close } = await openConfiguredDatabase(readConfig(env, true), createLog('silent'), {
    attachOnly: true,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const { instance, secret } = await secretOf(database)
    const range = { program, database, agent, secret, next: createFuzzer(createRandom(seed), instance) }
    let start = performance.now()
    const lap = () => {
      const now = performance.now()
      const ms = now - start
      start = now
      return ms
    }
    const measured: Measured = { postMs: 0, drainMs: 0, memory: [] }
    for (const part of stretches) {
      lap()
      await bombard(range, Math.ceil(count * part))
      measured.postMs += lap()
      await drain(range)
      measured.drainMs += lap()
      const now = await program.memory()
      measured.memory.push(now)
      say(`  memória a ${(part * 100).toFixed(0)} %: ${told(now)}`)
    }
    return await report(range, measured)
  } finally {
    agent.destroy()
    await close()
  }
}

try {
  const program = await startWatched({ args: ['--demo'], env: own })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void program.stop().finally(() => (removeData(), process.exit(1))))
  try {
    process.exitCode = (await run(program)) ? 0 : 1
  } finally {
    await program.stop()
  }
} finally {
  removeData()
}
