import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { openSecrets } from '#server/platform/secrets.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import {
  costliestFunctions,
  costliestStatements,
  type StatementTimes,
  statementTimes,
  trackStatements,
  untracked,
} from './costs.ts'
import { type DataSize, fillProduct, openOnes, phoneOf } from './data.ts'
import { fillFloor } from '../floor/data.ts'
import { freePort } from '#server/testing/servers/free-port.ts'
import { startLine } from '../../scripts/start-line.ts'
import { type Cluster, openCluster } from './postgres.ts'

const secretKey = 'bench-3f9c1d7e5a8b2046-key-of-a-bench-run'
export const instanceName = 'loja1'
export const webhookSecret = 'secret-of-the-bench-webhook'
const apiKey = 'key-of-the-bench-gateway'
/** How many phones the gateway has. Replies are sent to their conversations only. */
const phones = 100

/** One side of the comparison: a server, its database, and a client for each. */
export interface Side {
  child: Child
  http: Pool
  /** Reads counts and calls the floor's functions; its statements do not count as the product's. */
  db: pg.Pool
}

/** The servers, databases and gateway that every scenario of a run uses. */
export interface Environment {
  size: DataSize
  seed: number
  floor: Side
  product: Side
  /** Delays the next `answers` answers to sends by `ms`; 0 undoes it. */
  gateway: { hang(ms: number, answers: number): Promise<void> }
  /** Ids of the conversations that a phone answers. */
  answered: readonly number[]
  /** Restarts the product on the same database; 'kill' sends SIGKILL. */
  restartProduct(how: 'stop' | 'kill'): Promise<void>
  /** Starts another instance of the product beside the running one. */
  startProduct(env?: Record<string, string>): Promise<Child>
  /** What the product's statements cost so far; undefined if the server does not measure planning. */
  planning(): Promise<StatementTimes | undefined>
  /**
   * Stops the product.
   * @returns a line for each of the costliest statements and functions; without `profileDir` none
   */
  profile(): Promise<string[]>
  close(): Promise<void>
}

export interface EnvironmentOptions {
  size: DataSize
  seed: number
  postgresUrl: string | undefined
  print: (line: string) => void
  /** The folder for the product's CPU profile; without it there is none. */
  profileDir: string | undefined
}

const productDatabase = 'balcao_bench'
const floorDatabase = 'balcao_bench_floor'

export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const ends: (() => Promise<void>)[] = []
  const closeAll = async () => {
    while (ends.length > 0) await ends.pop()?.()
  }
  let closing: Promise<void> | undefined
  // A second call waits for the first.
  const close = () => (closing ??= closeAll())
  // No child may survive this process.
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
  { size, seed, postgresUrl, print, profileDir }: EnvironmentOptions,
  ends: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Environment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-data-'))
  ends.push(() => Promise.resolve(rmSync(dataDir, { recursive: true, force: true })))
  const cluster = await openCluster(postgresUrl)
  ends.push(() => cluster.close())
  const answered = openOnes(size).slice(0, phones)
  const gateway = await startGateway(answered)
  ends.push(() => gateway.stop())
  print(`preparing ${size.conversations} conversations in both databases…`)
  await fillDatabases(cluster, size, gateway.url, dataDir)

  const sideOf = (child: Child, database: string): Side => {
    const db = new pg.Pool({
      connectionString: cluster.url(database),
      max: 10,
      options: untracked,
    })
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
  const floor = sideOf(await startChild({ script: 'bench/floor/server.ts', env }), floorDatabase)
  const port = await freePort()
  const flags = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
  const product = sideOf(await start({ port, flags }), productDatabase)
  // After filling the tables, which is no cost of the product.
  const isTracked = await trackStatements(product.db)
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
      product.child = await start({ port, flags })
    },
    startProduct: (more) => start({ env: more ?? {} }),
    planning: () => (isTracked ? statementTimes(product.db) : Promise.resolve(undefined)),
    async profile() {
      if (!profileDir) return []
      const statements = isTracked ? await costliestStatements(product.db) : []
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
  return startChild({ script: 'bench/environment/gateway.ts', env })
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

/** Starts the product as `npm start` does in production. */
function createStarter(databaseUrl: string, dataDir: string) {
  const environment = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    CALLS_PER_MINUTE: '0',
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

async function callGateway(url: string, method: string, path: string, body?: unknown): Promise<void> {
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
  return callGateway(gatewayUrl, 'POST', `/webhook/set/${instanceName}`, { webhook })
}

async function hang(gatewayUrl: string, ms: number, answers: number): Promise<void> {
  await callGateway(gatewayUrl, 'DELETE', '/_control/send-answers')
  if (ms > 0)
    await callGateway(gatewayUrl, 'POST', '/_control/send-answers', {
      answers: Array.from({ length: answers }, () => ({ hangMs: ms })),
    })
}
