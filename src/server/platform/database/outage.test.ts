import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { type App, startApp } from '#server/app.ts'
import { connectGateway, ensureConnection } from '#server/gateway/gateway.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { eventually, not, refusal, requestTo } from '#server/testing/test-app.ts'
import { createUser } from '#server/users/users.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, openDatabase, rows } from './db.ts'
import { createLog } from '#server/platform/log.ts'
import { checkExternalPostgres } from '#server/platform/external-postgres.ts'

const log = createLog('silent')
const dataDir = folderForTests()
let server: OwnServer
let database: Database
let simulator: Simulator
let app: App
let token = ''

beforeAll(async () => {
  server = await startOwnServer()
  await server.query('create role dona login')
  await server.query('create database balcao owner dona')
  const url = server.url('dona', 'balcao')
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, GATEWAY_ALLOWED_HOSTS: '127.0.0.1' }
  database = openDatabase({ connection: await checkExternalPostgres(url, log), log, poolSize: 6 })
  simulator = await startSimulator({
    apiKey: 'key-of-the-simulator',
    instanceName: 'loja1',
    retryBaseMs: 50,
    echoMs: 2,
    serverAckMs: 5,
    deliveryAckMs: 10,
  })
  app = await startApp({ config: { ...readConfig(env, false), port: 0 }, database, log })
  await resetSettings(database)
  const gateway = await ensureConnection(database, app.secrets, {
    ...simulator,
    baseUrl: simulator.url,
    pacePerSecond: 1000,
  })
  await connectGateway(database, app.gateway.client, app.secrets, gateway, `${app.url}/api/webhook/evolution`)
  const person = { username: 'ana', email: 'ana@teste.example', name: 'Ana', password: 'senha-de-teste' }
  await createUser(database, { ...person, role: 'operator' })
  token = (await call<{ token: string }>('POST', '/api/auth/login', person)).body.token
})
afterAll(async () => {
  await app.stop()
  await simulator.close()
  await database.close()
  await server.close()
})

const call = <Body = { code: string }>(method: string, path: string, body?: unknown) =>
  requestTo<Body>(app.url, method, path, body, token ? { authorization: `Bearer ${token}` } : {})

/** Ways in which the database of a running program goes away and comes back. */
const outages: { name: string; down: () => Promise<void>; up: () => Promise<void> }[] = [
  { name: 'was stopped', down: () => server.stop('fast'), up: () => server.start() },
  { name: 'crashed', down: () => server.stop('immediate'), up: () => server.start() },
  {
    name: 'ended every session and let nobody in',
    async down() {
      await server.query('alter database balcao allow_connections off')
      await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = 'balcao' and pid <> pg_backend_pid()`,
      )
    },
    up: async () => void (await server.query('alter database balcao allow_connections on')),
  },
]

const conversationOf = async (name: string) =>
  (await call<Conversation[]>('GET', '/api/conversations')).body.find((row) => row.contact.name === name)
const textsOf = async (id: number) =>
  (await call<Message[]>('GET', `/api/conversations/${id}/messages`)).body
    .filter(({ messageType }) => isCountedMessage(messageType))
    .map(({ content }) => content)

describe.each(outages)('a database that $name under a running program', ({ name, down, up }) => {
  test('costs answers of 503 while it is away, and nothing that was accepted', async () => {
    const phone = simulator.control.createPhone({
      name,
      number: `55119876${10_000 + outages.findIndex((one) => one.name === name)}`,
    })
    simulator.control.sendText(phone.id, 'antes')
    const { id } = (await eventually(() => conversationOf(name), not(undefined))) as Conversation
    const browser = await connectLive(app.url, { token })
    await browser.heard('hello')

    await down()
    simulator.control.sendText(phone.id, 'durante')
    for (const [method, path, body] of [
      ['GET', '/api/conversations', undefined],
      ['POST', `/api/conversations/${id}/messages`, { content: 'perdida' }],
      ['POST', '/api/auth/login', { username: 'ana', password: 'senha-de-teste' }],
    ] as const)
      expect(await call(method, path, body)).toMatchObject(refusal(503, 'request.unavailable'))
    expect((await call('GET', '/healthz')).status).toBe(200)
    expect((await call('GET', '/readyz')).status).toBe(503)

    await up()
    await eventually(() => call('GET', '/readyz'), { status: 200 })
    simulator.control.retryNow()
    await browser.heard('message_received')
    await eventually(() => textsOf(id), { length: 2 })
    const content = `resposta depois que ${name}`
    expect((await call('POST', `/api/conversations/${id}/messages`, { content })).status).toBe(201)
    await eventually(
      () => simulator.control.chat(phone.id).filter((one) => one.from === 'company'),
      (sent) => sent.length === 1 && sent[0]?.text === content,
    )
    expect(await textsOf(id)).toEqual(['antes', 'durante', content])
    expect(browser.isOpen).toBe(true)
    await browser.close()
  })

  test('the database is listened to again, and all of the pool is whole', async () => {
    await eventually(
      () =>
        rows(
          database,
          sql`select 1 from pg_stat_activity where datname = current_database() and query = 'listen balcao'`,
        ),
      { length: 1 },
    )
    const all = Array.from({ length: 6 }, () =>
      rows<{ n: number }>(database, sql`select 1 as n, pg_sleep(0.01)`),
    )
    expect((await Promise.all(all)).flat().map((row) => row.n)).toEqual([1, 1, 1, 1, 1, 1])
  })
})
