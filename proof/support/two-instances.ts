import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Pool } from 'undici'
import { type App, type AppOptions, startApp } from '#server/app.ts'
import { connectGateway, ensureConnection } from '#server/gateway/gateway.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { type OwnServerOptions, startOwnServer } from '#server/testing/servers/own-server.ts'
import { createUser } from '#server/users/users.ts'
import type { Role } from '#shared/permissions.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '#simulator/simulator.ts'
import type { Result } from './scenario.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

export interface Answer<Body> {
  status: number
  body: Body
}

/** A signed-in user, who can call either instance. */
export interface Person {
  id: number
  username: string
  token: string
  call<Body = unknown>(instance: number, method: string, path: string, body?: unknown): Promise<Answer<Body>>
}

/** Two instances of the product on one database, with one simulator as their gateway. */
export interface TwoInstances {
  apps: App[]
  pools: Pool[]
  /** The database of each instance. */
  databases: [Database, Database]
  /** A separate pool, which no instance uses. */
  database: Database
  simulator: Simulator
  /** Of both. */
  config: Config
  instanceId: number
  signIn(role: Role, username: string): Promise<Person>
  /** Signs in again as somebody of `signIn`. */
  login(instance: number, username: string, more?: object): Promise<Answer<unknown>>
  /** The deadlocks that the database server has logged, each with its statements. */
  deadlocks(): string[]
  close(): Promise<void>
}

const never = 86_400_000

/** Options with which nothing happens by itself: a proof does what time would do. */
export const nothingByItself = {
  jobTimes: { queueMs: never, inactivityMs: never, scheduledMs: never },
  sweepEveryMs: 'never',
  avatarTimes: 'never',
  backgroundJobs: 'never',
  notices: 'never',
  slaClocks: 'never',
  clockCorrectionMs: 'never',
} as const satisfies TwoInstancesOptions

export interface TwoInstancesOptions extends Pick<
  AppOptions,
  | 'gatewayTimes'
  | 'jobTimes'
  | 'outboxTimes'
  | 'sweepEveryMs'
  | 'avatarTimes'
  | 'backgroundJobs'
  | 'notices'
  | 'slaClocks'
  | 'clockCorrectionMs'
> {
  simulator?: Partial<SimulatorOptions>
  pacePerSecond?: number
  /** Settings of the environment. */
  env?: Record<string, string>
  server?: OwnServerOptions
}

const password = 'senha-de-prova'
const log = createLog(process.env['LOG_LEVEL'] ?? 'silent')

export async function startTwoInstances(options: TwoInstancesOptions = {}): Promise<TwoInstances> {
  const { simulator: pace, pacePerSecond = 10_000, env, server: ownServer, ...appOptions } = options
  const server = await startOwnServer(ownServer)
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-proof-'))
  const open = (poolSize: number) =>
    openDatabase({ connection: { connectionString: server.url('postgres', 'balcao') }, log, poolSize })
  await server.query('create database balcao')
  const databases = [open(14), open(14), open(6)]
  const [first, second, database] = databases
  if (!first || !second || !database) throw new Error('no database was opened')
  const config: Config = {
    ...readConfig(
      { DATA_DIR: dataDir, GATEWAY_ALLOWED_HOSTS: '127.0.0.1', CALLS_PER_MINUTE: '0', ...env },
      false,
    ),
    port: 0,
  }
  const simulator = await startSimulator({
    apiKey: 'key-of-the-simulator',
    instanceName: 'loja1',
    retryBaseMs: 200,
    ...pace,
  })
  const apps: App[] = []
  for (const one of [first, second]) apps.push(await startApp({ config, database: one, log, ...appOptions }))
  await resetSettings(database)
  const [main] = apps
  if (!main) throw new Error('no instance was started')
  const wanted = { ...simulator, baseUrl: simulator.url, pacePerSecond }
  const gateway = await ensureConnection(database, main.secrets, wanted)
  await connectGateway(
    database,
    main.gateway.client,
    main.secrets,
    gateway,
    `${main.url}/api/webhook/evolution`,
  )
  const pools = apps.map((app) => new Pool(app.url, { connections: 24, pipelining: 1 }))
  let closing: Promise<void> | undefined
  const close = async () => {
    for (const pool of pools) await pool.destroy()
    await Promise.all(apps.map((app) => app.stop()))
    await simulator.close()
    for (const one of databases) await one.close()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const closeOnce = () => (closing ??= close())
  return {
    apps,
    pools,
    databases: [first, second],
    database,
    simulator,
    config,
    instanceId: gateway.id,
    signIn: (role, username) => signIn(database, pools, role, username),
    login: (instance, username, more) =>
      call(pools[instance], 'POST', '/api/auth/login', { username, password, ...more }),
    deadlocks: () => server.readLog().match(deadlockReport) ?? [],
    close: closeOnce,
  }
}

/**
 * What holds at the end of every run.
 * @param stuck what stays under way, as `untilQuiet` says it
 */
export function checkEnd(at: TwoInstances, stuck: string | undefined): Result[] {
  return [
    { property: 'nothing stays under way', checked: 1, faults: stuck ? [stuck] : [] },
    { property: 'no two transactions wait for each other', checked: 1, faults: at.deadlocks() },
  ]
}

/** The line of the error and its indented and further lines, up to the next one with a time. */
const deadlockReport = /^.*deadlock detected\n(?:(?:\t|.* (?:DETAIL|HINT|CONTEXT|STATEMENT): ).*\n)*/gm

async function signIn(database: Database, pools: Pool[], role: Role, username: string): Promise<Person> {
  const id = await createUser(database, {
    username,
    email: `${username}@prova.example`,
    name: username,
    password,
    role,
  })
  const login = { username, password }
  const { status, body } = await call<{ token: string }>(pools[0], 'POST', '/api/auth/login', login)
  if (status !== 200) throw new Error(`${username} could not sign in: ${status}`)
  const headers = { authorization: `Bearer ${body.token}` }
  return {
    id,
    username,
    token: body.token,
    call: (instance, method, path, sent) => call(pools[instance], method, path, sent, headers),
  }
}

async function call<Body>(
  pool: Pool | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  if (!pool) throw new Error('no such instance')
  const answer = await pool.request({
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, body: (text === '' ? undefined : JSON.parse(text)) as Body }
}

/** Calls `work` for each item, with `together` of them at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  together: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const workers = Array.from({ length: Math.min(together, items.length) }, async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index)
  })
  await Promise.all(workers)
}

/** What is still pending: webhooks at the gateway, events in the inbox, messages in the outbox. */
async function underWay(at: TwoInstances): Promise<{ hooks: number; inbox: number; outbox: number }> {
  const [row] = await rows<{ inbox: number; outbox: number }>(
    at.database,
    sql`select (select count(*)::int from webhook_inbox where processed_at is null and dead_reason
        is null) as inbox,
               (select count(*)::int from outbox where state in ('pending', 'sending', 'unknown')) as outbox`,
  )
  const hooks = at.simulator.control.state().counters.pendingWebhooks
  return { hooks, inbox: row?.inbox ?? 0, outbox: row?.outbox ?? 0 }
}

/** Waits until nothing is pending. @returns what is left after `stuckAfterMs` without progress */
export async function untilQuiet(
  at: TwoInstances,
  { stuckAfterMs, onProgress }: { stuckAfterMs: number; onProgress?: (left: string) => void },
): Promise<string | undefined> {
  let movedAt = performance.now()
  for (let last = '', calm = 0; ;) {
    const { hooks, inbox, outbox } = await underWay(at)
    const left = `${hooks} webhooks, ${inbox} in the inbox, ${outbox} in the outbox`
    calm = hooks + inbox + outbox === 0 ? calm + 1 : 0
    // Acknowledgements may still wait for a timer of the gateway.
    if (calm >= 4) return undefined
    if (left !== last) movedAt = performance.now()
    else if (calm === 0 && performance.now() - movedAt > stuckAfterMs) return left
    last = left
    onProgress?.(left)
    await sleep(300)
  }
}

/** A client who has written once: a phone in the simulator and an open conversation. */
export interface Chat {
  id: number
  phoneId: string
}

/** Creates phones that write once. @param from the number of the first one; a run must not repeat numbers */
export async function makeChats(at: TwoInstances, from: number, count: number): Promise<Chat[]> {
  const { control } = at.simulator
  const phones = Array.from({ length: count }, (_, n) => {
    const number = `55119${String(10_000_000 + from + n)}`
    return control.createPhone({ id: `p${from + n}`, name: `Cliente ${from + n}`, number })
  })
  for (const phone of phones) control.sendText(phone.id, 'oi')
  const left = await untilQuiet(at, { stuckAfterMs: 30_000 })
  if (left) throw new Error(`conversations were not opened: ${left}`)
  const found = await rows<{ id: number; phone: string }>(
    at.database,
    sql`select c.id, k.phone from conversations c join contacts k on k.id = c.contact_id
         where c.status <> 'completed'`,
  )
  const ids = new Map(found.map((row) => [row.phone, row.id]))
  return phones.map((phone) => {
    const id = ids.get(phone.number)
    if (id === undefined) throw new Error(`${phone.number} has no conversation`)
    return { id, phoneId: phone.id }
  })
}
