import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { openSecrets } from '#server/platform/secrets.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { costliestFunctions, costliestStatements } from './costs.ts'
import { type DataSize, fillProduct, openOnes, phoneOf } from './data.ts'
import { fillFloor } from './floor-data.ts'
import { freePort } from '#server/testing/free-port.ts'
import { startLine } from '../scripts/start-line.ts'
import { type Cluster, openCluster } from './postgres.ts'

const secretKey = 'bench-3f9c1d7e5a8b2046-key-of-a-bench-run'
export const instanceName = 'loja1'
export const webhookSecret = 'secret-of-the-bench-webhook'
const apiKey = 'key-of-the-bench-gateway'
/** So many phones of the gateway answer: replies go to their conversations. */
const phones = 100

/** One side of the comparison: a server, its database, and a client for each. */
export interface Side {
  child: Child
  http: Pool
  /** For what HTTP does not tell: counts, and the bare function. */
  db: pg.Pool
}

/** Everything that a scenario plays on. */
export interface Stage {
  size: DataSize
  seed: number
  floor: Side
  product: Side
  /** The next so many sends are answered after a wait; 0 takes it back. */
  gateway: { hang(ms: number, answers: number): Promise<void> }
  /** Conversations that replies may go to, with a phone at the other end. */
  answered: readonly number[]
  /** Ends the product and starts it again on the same database. */
  restartProduct(how: 'stop' | 'kill'): Promise<void>
  /** The product beside the one that runs, as `start` measures it. */
  startProduct(env?: Record<string, string>): Promise<Child>
  /** Ends our process, and says where its time and the database's went; empty unless somebody looked. */
  costs(): Promise<string[]>
  close(): Promise<void>
}

export interface StageOptions {
  size: DataSize
  seed: number
  postgresUrl: string | undefined
  say: (line: string) => void
  /** Where the product's processor profile goes, with the cost of each statement; absent: nobody looks. */
  profileDir: string | undefined
}

const productDatabase = 'balcao_bench'
const floorDatabase = 'balcao_bench_floor'

export async function openStage(options: StageOptions): Promise<Stage> {
  const ends: (() => Promise<void>)[] = []
  const closeAll = async () => {
    while (ends.length > 0) await ends.pop()?.()
  }
  let closing: Promise<void> | undefined
  // Whoever asks a second time waits for the first.
  const close = () => (closing ??= closeAll())
  // However this ends, no child may stay behind.
  const end = (error?: unknown) => {
    if (error instanceof Error) process.stderr.write(`${error.stack}\n`)
    void close().finally(() => process.exit(1))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
  process.once('uncaughtException', end)
  process.once('unhandledRejection', end)
  try {
    return await setUp(options, ends, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function setUp(
  { size, seed, postgresUrl, say, profileDir }: StageOptions,
  ends: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-data-'))
  ends.push(() => Promise.resolve(rmSync(dataDir, { recursive: true, force: true })))
  const cluster = await openCluster(postgresUrl, profileDir !== undefined)
  ends.push(() => cluster.close())
  const answered = openOnes(size).slice(0, phones)
  const gateway = await startGateway(answered)
  ends.push(() => gateway.stop())
  say(`preparando ${size.conversations} conversas nos dois bancos…`)
  await fillDatabases(cluster, size, gateway.url, dataDir)

  const sideOf = (child: Child, database: string): Side => {
    const db = new pg.Pool({ connectionString: cluster.url(database), max: 10 })
    const http = new Pool(child.url, { connections: 64, pipelining: 1 })
    const side = { child, http, db }
    ends.push(async () => {
      await http.close()
      await db.end()
      await side.child.stop()
    })
    return side
  }
  const start = createStarter(cluster.url(productDatabase), dataDir)
  const env = { NODE_ENV: 'production', DATABASE_URL: cluster.url(floorDatabase) }
  const floor = sideOf(await startChild({ script: 'bench/floor.ts', env }), floorDatabase)
  const port = await freePort()
  const flags = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
  const product = sideOf(await start({ port, flags }), productDatabase)
  // Filling the tables is nobody's cost.
  if (profileDir)
    await product.db.query('create extension pg_stat_statements; select pg_stat_statements_reset()')
  await registerWebhook(gateway.url, `${product.child.url}/api/webhook/evolution`)

  return {
    size,
    seed,
    floor,
    product,
    gateway: { hang: (ms, answers) => hang(gateway.url, ms, answers) },
    answered,
    async restartProduct(how) {
      await product.child[how]()
      product.child = await start({ port })
    },
    startProduct: (more) => start({ env: more ?? {} }),
    async costs() {
      if (!profileDir) return []
      const statements = await costliestStatements(product)
      await product.child.stop()
      return [...statements, ...costliestFunctions(profileDir)]
    },
    close,
  }
}

function startGateway(answered: number[]): Promise<Child> {
  const env = {
    GATEWAY_KEY: apiKey,
    GATEWAY_INSTANCE: instanceName,
    GATEWAY_PHONES: answered.map(phoneOf).join(','),
  }
  return startChild({ script: 'bench/gateway.ts', env })
}

async function fillDatabases(
  cluster: Cluster,
  size: DataSize,
  gatewayUrl: string,
  dataDir: string,
): Promise<void> {
  await cluster.create(productDatabase)
  await cluster.create(floorDatabase)
  const number = { instanceName, gatewayUrl, apiKey, webhookSecret }
  await fillProduct(cluster.url(productDatabase), size, number, openSecrets(secretKey, dataDir))
  await fillFloor(cluster.url(floorDatabase), size)
}

/** Starts our program as it runs in production. */
function createStarter(databaseUrl: string, dataDir: string) {
  const environment = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    DATABASE_URL: databaseUrl,
    GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
  }
  const { flags, program } = startLine()
  return ({ env, ...options }: Partial<Pick<ChildOptions, 'port' | 'flags' | 'env'>>): Promise<Child> =>
    startChild({
      ...options,
      script: program,
      flags: [...flags, ...(options.flags ?? [])],
      env: { ...environment, ...env },
    })
}

async function ask(url: string, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { apikey: apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

const events = ['MESSAGES_UPSERT', 'MESSAGES_UPDATE', 'SEND_MESSAGE', 'CONNECTION_UPDATE']

function registerWebhook(gatewayUrl: string, url: string): Promise<void> {
  const headers = { authorization: `Bearer ${webhookSecret}` }
  const webhook = { enabled: true, url, byEvents: false, base64: false, headers, events }
  return ask(gatewayUrl, 'POST', `/webhook/set/${instanceName}`, { webhook })
}

async function hang(gatewayUrl: string, ms: number, answers: number): Promise<void> {
  await ask(gatewayUrl, 'DELETE', '/_control/send-answers')
  if (ms > 0)
    await ask(gatewayUrl, 'POST', '/_control/send-answers', {
      answers: Array.from({ length: answers }, () => ({ hangMs: ms })),
    })
}
