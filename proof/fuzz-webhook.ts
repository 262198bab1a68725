import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { Pool } from 'undici'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/db.ts'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { createRandom } from '#simulator/random.ts'
import { createFuzzer, type Shot } from './fuzz-bodies.ts'

/**
 * `npm run fuzz -- --bodies 200000 --seed 7`: starts the program with a demonstration of its own, posts so many damaged
 * and arbitrary bodies to its webhook with the right secret, waits until all of them are worked off, and prints what
 * became of them. Fails when one was answered 5xx, an error went uncaught, the program ended, or a body was put aside.
 */
const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    connections: { type: 'string', default: '24' },
    port: { type: 'string', default: '3977' },
  },
})
const count = Number(values.bodies)
const seed = Number(values.seed)
const say = (line: string) => process.stdout.write(`${line}\n`)
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const main = join(import.meta.dirname, '..', 'src', 'server', 'main.ts')

const dataDir = join(tmpdir(), `balcao-fuzz-${process.pid}`)
// Started as root, the database runs as another account, which must be able to pass through.
mkdirSync(dataDir, { mode: 0o711 })
const env = { ...process.env, DATA_DIR: dataDir, PORT: values.port, LOG_LEVEL: 'error' }
const url = `http://127.0.0.1:${values.port}`

/** What the program says while it runs, counted. */
const seen = { exits: 0, unhandled: 0, errors: new Map<string, number>() }
let isEnding = false

function startProgram(): ChildProcess {
  const child = spawn(process.execPath, [main, '--demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const note = (chunk: Buffer) => {
    for (const line of chunk.toString('utf8').split('\n')) {
      if (/unhandled|uncaught/i.test(line)) seen.unhandled++
      const said = /"msg":"([^"]{1,80})"/.exec(line)?.[1]
      if (said) seen.errors.set(said, (seen.errors.get(said) ?? 0) + 1)
      else if (/Error/.test(line)) process.stderr.write(`${line.slice(0, 500)}\n`)
    }
  }
  child.stdout?.on('data', note)
  child.stderr?.on('data', note)
  child.on('exit', (code, signal) => {
    if (isEnding) return
    seen.exits++
    process.stderr.write(`o programa terminou: ${code ?? signal}\n`)
  })
  return child
}

async function isServing(child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('o programa não respondeu')
    await sleep(100)
  }
}

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

async function shoot(pool: Pool, secret: string, { path, type, body }: Shot): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, ...(type !== undefined && { 'content-type': type }) }
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body })
    await answer.body.dump()
    countStatus(String(answer.statusCode))
  } catch (error) {
    countStatus(`sem resposta: ${error instanceof Error ? error.message : 'erro'}`)
  }
}

async function bombard(pool: Pool, secret: string, next: () => Shot): Promise<void> {
  let left = count
  const shooters = Array.from({ length: Number(values.connections) }, async () => {
    while (left > 0 && seen.exits === 0) {
      left--
      if (left % 20_000 === 0) say(`  faltam ${left}`)
      await shoot(pool, secret, next())
    }
  })
  await Promise.all(shooters)
}

const waiting = sql`processed_at is null and dead_reason is null and instance_id is not null`

async function drain(database: Database): Promise<void> {
  for (let before = -1, still = 0; seen.exits === 0;) {
    const [row] = await rows<{ n: number }>(
      database,
      sql`select count(*)::int as n from webhook_inbox where ${waiting}`,
    )
    const left = row?.n ?? 0
    if (left === 0) return
    still = left === before ? still + 1 : 0
    if (still > 30) throw new Error(`a entrada parou com ${left} eventos`)
    before = left
    await sleep(2000)
  }
}

interface Dead extends Record<string, unknown> {
  event: string
  reason: string
  n: number
  example: string
}

async function report(database: Database, seconds: { post: number; all: number }): Promise<boolean> {
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
  }>(
    database,
    sql`select count(*)::int as rows, coalesce(sum(attempts), 0)::int as attempts,
               (select count(*)::int from messages) as messages, (select count(*)::int from contacts) as contacts,
               (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks
          from webhook_inbox`,
  )
  const sorted = [...statuses].toSorted(([a], [b]) => a.localeCompare(b))
  const sum = (isOne: (status: string) => boolean) =>
    sorted.filter(([status]) => isOne(status)).reduce((total, [, n]) => total + n, 0)
  const server = sum((status) => !/^[234]/.test(status))
  const deadCount = dead.reduce((total, row) => total + row.n, 0)
  say(`semente ${seed}, ${count} corpos em ${seconds.post} s; trabalhados em ${seconds.all} s`)
  say(`2xx: ${sum((status) => status.startsWith('2'))}; 5xx ou sem resposta: ${server}`)
  for (const [status, n] of sorted) say(`  ${status}: ${n}`)
  say(`sem tratamento: ${seen.unhandled}; saídas: ${seen.exits}; postos de lado: ${deadCount}`)
  say(
    `na entrada: ${kept?.rows}, tentativas falhas: ${kept?.attempts}; mensagens: ${kept?.messages}; contatos: ${kept?.contacts}; impasses no banco: ${kept?.deadlocks}`,
  )
  for (const [message, n] of seen.errors) say(`  registro: ${message} × ${n}`)
  for (const row of dead) say(`  DE LADO ${row.n} × ${row.event}: ${row.reason}\n    ${row.example}`)
  return server === 0 && seen.unhandled === 0 && seen.exits === 0 && deadCount === 0
}

async function run(): Promise<boolean> {
  const { database, close } = await openConfiguredDatabase(readConfig(env, true), createLog('silent'), {
    attachOnly: true,
  })
  const pool = new Pool(url, { connections: Number(values.connections), pipelining: 1 })
  try {
    const { instance, secret } = await secretOf(database)
    const start = performance.now()
    const elapsed = () => Math.round((performance.now() - start) / 1000)
    await bombard(pool, secret, createFuzzer(createRandom(seed), instance))
    const post = elapsed()
    await drain(database)
    return await report(database, { post, all: elapsed() })
  } finally {
    await pool.close()
    await close()
  }
}

const child = startProgram()
const gone = new Promise((resolve) => child.once('exit', resolve))
try {
  await isServing(child)
  process.exitCode = (await run()) ? 0 : 1
} finally {
  isEnding = true
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await gone
  }
  rmSync(dataDir, { recursive: true, force: true })
}
