import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import type { ErrorBody } from '#shared/errors.ts'
import type { Role } from '#shared/permissions.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { type App, type AppOptions, startApp } from '../app.ts'
import { connectGateway, ensureConnection } from '../gateway/gateway.ts'
import { insertConfig } from '#server/gateway/instances/queries.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { createLog } from '../platform/log.ts'
import { startProxy } from '#server/testing/servers/proxy.ts'
import { givenSession } from './database/given-session.ts'
import { above, eventually, every, filled, including, not, refusal, some } from './eventually.ts'
import { forAllTests } from './for-all-tests.ts'

export { above, eventually, every, filled, forAllTests, including, not, refusal, some }

export interface TestDatabase {
  database: Database
  name: string
  /** Runs a statement: t.sql`select 1`. @returns its rows, with timestamps as text */
  sql<Row extends Record<string, unknown>>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  /** Opens another pool on the same database, as a second instance would. */
  openAgain(): Database
  /** Opens another pool through a proxy that can be cut. */
  openCuttable(): Promise<{ database: Database; cut(): void; mend(): void }>
  close(): Promise<void>
}

const silent = createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')

/**
 * Creates a migrated database for one test file; its clock is ahead by `clockOffset`, an interval that may be
 * negative.
 */
export async function testDatabase({ clockOffset }: { clockOffset?: string } = {}): Promise<TestDatabase> {
  const { host, port, user, superuser } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = openDatabase({
    connection: { host, port, user: superuser, database: 'postgres' },
    log: silent,
    poolSize: 1,
  })
  // Takes less than half of the time of the usual strategy, which copies through the write-ahead log.
  await admin.pool.query(
    `create database ${name} template template_balcao strategy file_copy owner "${user}"`,
  )
  const opened: Database[] = []
  const closing: (() => Promise<void>)[] = []
  const openAgain = () => {
    const database = openDatabase({
      connection: { host, port, user, database: name },
      log: silent,
      poolSize: 6,
      ...(clockOffset && { clockOffset }),
    })
    opened.push(database)
    return database
  }
  const own = openAgain()
  return {
    database: own,
    name,
    sql: (text, ...values) => rows(own, sql(text, ...values)),
    openAgain,
    async openCuttable() {
      const proxy = await startProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { port })
      const connection = { host: '127.0.0.1', port: proxy.port, user, database: name }
      const database = openDatabase({ connection, log: silent })
      opened.push(database)
      closing.push(() => proxy.close())
      return { database, cut: proxy.cut, mend: proxy.mend }
    },
    async close() {
      for (const database of opened) await database.close()
      for (const end of closing) await end()
      // Force only when a connection remains: a plain role must not end the server's autovacuum workers, and
      // need not.
      await admin.pool
        .query(`drop database if exists ${name}`)
        .catch(() => admin.pool.query(`drop database if exists ${name} with (force)`))
      await admin.close()
    },
  }
}

/** Inserts a number without a gateway. @returns its instance id */
export async function testNumber(database: Database): Promise<number> {
  const { id } = await insertConfig(database, {
    instanceName: 'loja1',
    apiKeyEncrypted: '-',
    apiKeyHint: '-',
    baseUrl: 'http://127.0.0.1:1',
  })
  return id
}

/** A database for one test file, with a number without a gateway. */
export async function testDatabaseWithNumber(): Promise<TestDatabase & { instanceId: number }> {
  const made = await testDatabase()
  return { ...made, instanceId: await testNumber(made.database) }
}

export interface Answer<Body> {
  status: number
  body: Body
  headers: Headers
}

/** A form as a browser sends it: the fields, then a file. */
export function formOf(
  fields: Record<string, string | number>,
  name?: string,
  bytes: string | Uint8Array<ArrayBuffer> = 'bytes',
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, String(value))
  if (name !== undefined) form.set('file', new Blob([bytes]), name)
  return form
}

export interface Client {
  token: string
  userId: number
  /** @param body a form, a text that is sent unchanged, or what is sent as JSON */
  request<Body = ErrorBody>(method: string, path: string, body?: unknown): Promise<Answer<Body>>
  /** The body of an answer to GET. @throws unless its status is 200 */
  get<Body>(path: string): Promise<Body>
}

export interface TestApp extends TestDatabase {
  app: App
  config: Config
  simulator: Simulator
  instanceId: number
  /** Starts a second instance on the same database, with a pool of its own; the caller stops it. */
  startAnother(options?: Partial<AppOptions>): Promise<App>
  /** Waits until replies are sent and what was posted is processed; phones may still report deliveries. */
  settled(): Promise<void>
  /** Inserts a user with the role, whose password is `testPassword`, and a session of theirs. */
  signIn(role: Role, username?: string): Promise<Client>
  /** Sends a request without a session, with any headers. */
  request<Body = ErrorBody>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
}

export interface TestAppOptions extends Pick<
  AppOptions,
  | 'gatewayTimes'
  | 'fetchWaitsMs'
  | 'viewingTimes'
  | 'avatarTimes'
  | 'jobTimes'
  | 'planMs'
  | 'notices'
  | 'measureDisk'
  | 'assistantTimes'
  | 'assistantServerTimes'
  | 'transcriptionTimes'
  | 'sweepEveryMs'
  | 'clockCorrectionMs'
  | 'jobThreads'
> {
  /** Opens the app's database; by default the app uses the test's own pool. */
  open?: (db: TestDatabase) => Promise<Database>
  /** Offset of the product's clock, an interval that may be negative. */
  clockOffset?: string
  /** Whether long and scheduled jobs run. */
  hasJobs?: true
}

/** Disables periodic tasks, however the product's clock is moved. */
export const withoutJobs: Pick<TestAppOptions, 'jobTimes'> = {
  jobTimes: { queueMs: 86_400_000, inactivityMs: 86_400_000, scheduledMs: 86_400_000 },
}

export const testPassword = 'senha-de-teste'

/** Starts the real app on a real database, with the simulator as its gateway. */
export async function testApp(
  env: Record<string, string> = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  const db = await testDatabase(options)
  const database = (await options.open?.(db)) ?? db.database
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-app-'))
  // No agent is there unless a test starts one.
  const usualEnv = { GPT_MAKER_URL: 'http://127.0.0.1:1', CALLS_PER_MINUTE: '0' }
  const ownEnv = { DATA_DIR: dataDir, GATEWAY_ALLOWED_HOSTS: '127.0.0.1', ...usualEnv, ...env }
  const config: Config = { ...readConfig(ownEnv, false), port: 0 }
  const simulator = await startSimulator({
    apiKey: 'key-of-the-simulator',
    instanceName: 'loja1',
    retryBaseMs: 50,
    echoMs: 2,
    serverAckMs: 5,
    deliveryAckMs: 10,
  })
  const { open: _open, clockOffset: _clockOffset, hasJobs, ...own } = options
  const { avatarTimes = 'never', notices = 'never', clockCorrectionMs = 'never' } = own
  const usual: Partial<AppOptions> = {
    avatarTimes,
    notices,
    clockCorrectionMs,
    ...(!hasJobs && { backgroundJobs: 'never' }),
  }
  const app = await startApp({ config, database, log: silent, ...own, ...usual })
  const gateway = await ensureConnection(db.database, app.secrets, {
    ...simulator,
    baseUrl: simulator.url,
    pacePerSecond: 1000,
  })
  const webhookUrl = `${app.url}/api/webhook/evolution`
  await connectGateway(db.database, app.gateway.client, app.secrets, gateway, webhookUrl)
  const request: TestApp['request'] = (method, path, body, headers) =>
    requestTo(app.url, method, path, body, headers)
  return {
    ...db,
    app,
    config,
    simulator,
    instanceId: gateway.id,
    request,
    startAnother: (others) =>
      startApp({ config, database: db.openAgain(), log: silent, ...usual, ...others }),
    async settled() {
      // Whole rows, so that a test that waits in vain says for what.
      const replies = () =>
        rows(
          db.database,
          sql`select id, state, tries, last_error, not_before - now() as wait
                from outbox where state in ('pending', 'sending')`,
        )
      const webhooks = () =>
        rows(
          db.database,
          sql`select id, event, attempts, not_before - now() as wait
                from webhook_inbox where processed_at is null and dead_reason is null`,
        )
      // What was processed may have been answered, for example with a greeting.
      do {
        await eventually(replies, { length: 0 })
        await simulator.control.idle()
        await eventually(webhooks, { length: 0 })
      } while ((await replies()).length > 0)
    },
    async signIn(role, username = `${role}-${randomBytes(4).toString('hex')}`) {
      const { userId, token } = await givenSession(db.database, { role, username, password: testPassword })
      const headers = { authorization: `Bearer ${token}` }
      return {
        token,
        userId,
        request: (method, path, sent) => requestTo(app.url, method, path, sent, headers),
        async get(path) {
          const { status, body } = await requestTo<never>(app.url, 'GET', path, undefined, headers)
          if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
          return body
        },
      }
    },
    async close() {
      await app.stop()
      await simulator.close()
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Sends a request to any instance. @param body as `Client.request` takes it */
export async function requestTo<Body = ErrorBody>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? true
  return {
    status: answer.status,
    body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as Body,
    headers: answer.headers,
  }
}
