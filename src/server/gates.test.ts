import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { eventHandlers, indexAll } from './conversations/conversations.ts'
import { claimMessage } from '#server/conversations/outbox/outbox-claim.ts'
import { startInboxWorker } from './gateway/gateway.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { createLog } from './platform/log.ts'
import { computeFacts } from './reports/reports.ts'
import { createClockKeeper } from './sla/sla.ts'
import { connectLive } from './testing/live-client.ts'
import {
  apart,
  type Cost,
  costOf,
  type Statement,
  formatStatements,
  type Watch,
  watchStatements,
  withoutControl,
} from './testing/database/statements.ts'
import {
  type Client,
  eventually,
  testApp,
  type TestApp,
  testDatabase,
  testNumber,
} from './testing/test-app.ts'

// The cost of operations in figures that do not depend on the machine's load. The limits are the current
// costs: raise one here when more is really needed.

const limits = {
  /** The session, the position in the event log twice, the rows. */
  list: { statements: 4, roundTrips: 6, commits: 0 },
  /** The session, the event log, the changed rows: once per change for all requests. */
  listChanged: { statements: 3, roundTrips: 5, commits: 0 },
  /** The session. */
  listUnchanged: { statements: 1, roundTrips: 1, commits: 0 },
  /** The session, the conversation, the messages. */
  messages: { statements: 3, roundTrips: 3, commits: 0 },
  /** Includes the read receipt that is sent after the answer. */
  // One of them locks who takes it, as somebody may be shutting them out.
  firstReply: { statements: 17, roundTrips: 19, commits: 1 },
  reply: { statements: 7, roundTrips: 9, commits: 1 },
  /** The number, and the body under its key. */
  webhook: { statements: 2, roundTrips: 2, commits: 1 },
  /**
   * Per message, when 200 are waiting: some statements per batch of 64, and those of workers that found
   * nothing.
   */
  waiting: { statements: 0.5, roundTrips: 0.7, commits: 0.2 },
  /** Of ten numbers: a batch has some transactions. */
  waitingOfTen: { statements: 2, roundTrips: 2.8, commits: 0.4 },
  /** Bytes of JSON per item; a page contains 50. */
  bytes: { conversation: 940, message: 600, event: 1640 },
  /**
   * Pages of 8 kB read with 12,000 conversations in the archive and 10,000 messages in one of them; for a
   * claim, with 20,000 messages waiting in 40 conversations.
   */
  pages: { perOpenConversation: 8, endOfConversation: 24, nextToSend: 700, nothingToSend: 10 },
}

let watch: Watch
beforeAll(() => (watch = watchStatements()))
afterAll(() => watch.stop())

test('a statement counts for the work that asked, also when it waited for a connection', async () => {
  const { database, close } = await testDatabase()
  const { pool } = database
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const all: Statement[] = []
  const answer = watch.during(all, () => pool.query('select 1'))
  for (const connection of held) connection.release()
  await answer
  expect(all.map(({ text }) => text)).toEqual(['select 1'])
  await close()
})

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

let bodies = 0
/** A message of person `n`. */
const bodyOf = (n: number) => ({
  event: 'messages.upsert',
  instance: 'loja1',
  data: {
    key: {
      remoteJid: `55119${String(n).padStart(8, '0')}@s.whatsapp.net`,
      fromMe: false,
      id: `GATE${++bodies}`,
    },
    pushName: 'Mariana Souza',
    message: { conversation: 'Bom dia, e o meu pedido?' },
    messageType: 'conversation',
    messageTimestamp: Math.floor(Date.now() / 1000),
  },
})

/** Inserts people `from`–`to`, each with a conversation of four messages; `isOpen` is an SQL condition. */
const people = (from: number, to: number, isOpen: string) => [
  `insert into contacts (id, name, phone, has_gateway_name) overriding system value
     select n, 'Cliente ' || n, '55119' || lpad(n::text, 8, '0'), true
     from generate_series(${from}, ${to}) n`,
  `insert into contact_identities (contact_id, kind, value, jid)
     select n, 'phone', c.phone, c.phone || '@s.whatsapp.net'
     from generate_series(${from}, ${to}) n join contacts c on c.id = n`,
  `insert into conversations (id, instance_id, contact_id, protocol, status, sub_status, waiting_for,
                              completed_at, started_at,
                              message_count) overriding system value
     select n, 1, n, '20200101' || lpad(n::text, 6, '0'),
            case when ${isOpen} then 'active' else 'completed' end, 'OPERADOR',
            'client', case when not ${isOpen} then now() end, now() - n * interval '1 minute', 4
       from generate_series(${from}, ${to}) n`,
  messagesOf(from, to, 1, 4),
  ...['contacts', 'conversations'].map(
    (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
  `update conversations c set last_message_id =
     (select max(id) from messages m where m.conversation_id = c.id)
    where c.id between ${from} and ${to}`,
]
const messagesOf = (from: number, to: number, first: number, count: number) =>
  `insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id,
                         sort_at, sent_at)
     select n, 1, 'contact', 'Bom dia ' || k, 'OLD' || n || '-' || k, at, at
       from generate_series(${from}, ${to}) n, generate_series(${first}, ${first + count - 1}) k,
            lateral (select now() - interval '2 days' + k * interval '1 second' as at) times`

/** Runs statements, one after the other. */
const run = async ({ pool }: Database, ...statements: string[]) => {
  for (const statement of statements) await pool.query(statement)
}

const long = 10
const openOnes = 50
const isOpen = `n <= ${openOnes}`

describe('a request asks no more of the database than it does today', () => {
  let app: TestApp
  let operator: Client
  let secret: string

  beforeAll(async () => {
    app = await testApp({}, { open: ({ database }) => Promise.resolve(apart(watch, database)) })
    operator = await app.signIn('operator')
    await run(app.database, ...people(1, 500, isOpen), messagesOf(long, long, 5, 200), 'vacuum analyze')
    const { rows } = await app.database.pool.query<{ sealed: string }>(
      'select webhook_secret_encrypted as sealed from evolution_api_config',
    )
    secret = app.app.secrets.decrypt(rows[0]?.sealed ?? '')
  })
  afterAll(() => app.close())

  const webhook = async (n: number): Promise<Statement[]> => {
    // The simulator posts to the same path, so the query tells the test's own requests apart.
    const address = `/api/webhook/evolution?gate=${n}`
    const { status } = await app.request('POST', address, bodyOf(n), { authorization: `Bearer ${secret}` })
    expect(status).toBe(200)
    return watch.ofRequest(`POST ${address}`)
  }
  const asksOf = async (method: string, address: string, body?: object): Promise<Statement[]> => {
    expect((await operator.request(method, address, body)).status).toBeLessThan(300)
    return watch.ofRequest(`${method} ${address}`)
  }
  const page = () => asksOf('GET', '/api/conversations?page=1&limit=50')
  /** The first page after a change. */
  const changedPage = () =>
    eventually(page, (all) => costOf(all).statements > limits.listUnchanged.statements)
  const end = () => asksOf('GET', `/api/conversations/${long}/messages?limit=20`)
  const reply = () => asksOf('POST', '/api/conversations/20/messages', { content: 'Claro!' })

  const within = (all: Statement[], limit: Cost) => {
    const cost = costOf(all)
    expect(cost.statements).toBeGreaterThan(0)
    for (const key of ['statements', 'roundTrips', 'commits'] as const)
      expect(cost[key], `${key}: ${formatStatements(all)}`).toBeLessThanOrEqual(limit[key])
  }

  test('the list, again when nothing changed, and after a change', async () => {
    within(await page(), limits.list)
    // Until the last write was read by all, the list may still change.
    const isQuiet = (all: Statement[]) => costOf(all).statements <= limits.listUnchanged.statements
    within(await eventually(page, isQuiet), limits.listUnchanged)
    await webhook(long)
    within(await changedPage(), limits.listChanged)
  })

  test('the end of a conversation', async () => {
    within(await end(), limits.messages)
  })

  test('the reply that takes a conversation, and the one after it', async () => {
    within(await reply(), limits.firstReply)
    within(await reply(), limits.reply)
  })

  test('a webhook until it is answered', async () => {
    // One that arrives while another is being stored shares its statements.
    await app.settled()
    within(await webhook(20), limits.webhook)
  })

  test('a conversation, a message and an event are as long as they have to be', async () => {
    const { body: open } = await operator.request<Conversation[]>('GET', '/api/conversations')
    const row = open.find(({ id }) => id === long)
    expect(bytesOf(row)).toBeLessThanOrEqual(limits.bytes.conversation)
    const { body: messages } = await operator.request<Message[]>('GET', `/api/conversations/${long}/messages`)
    expect(bytesOf(messages[0])).toBeLessThanOrEqual(limits.bytes.message)
    const live = await connectLive(app.app.url, { token: operator.token })
    await webhook(long)
    const isOfLong = ({ data }: { data: { conversationId: number } }) => data.conversationId === long
    const frame = await live.heard('message_received', isOfLong)
    expect(bytesOf(frame)).toBeLessThanOrEqual(limits.bytes.event)
    await live.close()
  })

  // This test comes last, since it makes the archive long.
  test('list and end of a conversation touch few pages, however long the archive is', async () => {
    await webhook(30)
    const [list, messages] = [await changedPage(), await end()]
    await run(
      app.database,
      ...people(501, 12_000, 'false'),
      messagesOf(long, long, 205, 10_000),
      'vacuum analyze',
    )
    expect(await pagesOf(app.database, list)).toBeLessThanOrEqual(openOnes * limits.pages.perOpenConversation)
    expect(await pagesOf(app.database, messages)).toBeLessThanOrEqual(limits.pages.endOfConversation)
  })
})

/** The pages of 8 kB that all statements of a call read. */
async function pagesOf({ pool }: Database, all: Statement[]): Promise<number> {
  let pages = 0
  for (const { text, values } of withoutControl(all)) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return pages
}

/**
 * Claims the next of `each` sends that wait in every one of `conversations`, after `then` has changed them.
 * @returns the claimed send, and the statements that looked for it
 */
async function claimOf(database: Database, conversations: number, each: number, then: string) {
  await testNumber(database)
  const written = `with written as (
       insert into messages (conversation_id, instance_id, sender_type, content, delivery_status,
                             sort_at, sent_at)
         select n, 1, 'user', 'Bom dia', 'pending', now(), now()
         from generate_series(1, ${each}) k, generate_series(1, ${conversations}) n
       returning id, conversation_id)
     insert into outbox (instance_id, conversation_id, message_id, state)
       select 1, conversation_id, id, 'pending' from written order by id`
  await run(database, ...people(1, conversations, 'true'), written, then, 'vacuum analyze')
  const all: Statement[] = []
  const claimed = await watch.during(all, () => inTransaction(database, (db) => claimMessage(db, 1000)))
  return { claimed, asked: all.filter(({ text }) => text.includes('outbox')) }
}

test('the next send is found with few pages although 20,000 wait in blocked conversations', async () => {
  const { database, close } = await testDatabase()
  const block = `update outbox set state = 'unknown'
     where conversation_id < 40 and id in (select min(id) from outbox group by conversation_id)`
  const { claimed, asked } = await claimOf(database, 40, 500, block)
  expect(claimed?.conversationId).toBe(40)
  await database.pool.query(`update outbox set state = 'pending' where state = 'sending'`)
  expect(asked).toHaveLength(1)
  expect(await pagesOf(database, asked)).toBeLessThanOrEqual(limits.pages.nextToSend)
  await close()
})

test('a look for the next send reads next to nothing of what waits for a number that is away', async () => {
  const { database, close } = await testDatabase()
  const { claimed, asked } = await claimOf(
    database,
    400,
    5,
    `update evolution_api_config set status = 'close'`,
  )
  expect(claimed).toBeUndefined()
  expect(await pagesOf(database, asked)).toBeLessThanOrEqual(limits.pages.nothingToSend)
  await close()
})

async function keepAll(database: Database): Promise<void> {
  const keep = createClockKeeper(database)
  while (await keep('wait'));
}

test.each([
  ['facts_due', computeFacts],
  ['search_due', indexAll],
  ['sla_due', keepAll],
])('%s is worked off by its index, however much waits in it', async (table, workOff) => {
  const { database, close } = await testDatabase()
  const insert = `insert into ${table} (conversation_id) select 1 + n % 100 from generate_series(1, 20000) n`
  const fill = () => run(database, insert, 'vacuum analyze')
  await fill()
  const all: Statement[] = []
  await watch.during(all, () => workOff(database))
  await fill()
  const taken = all.find(({ text }) => text.includes(`delete from ${table}`))
  const setting = all.find(({ text }) => text.includes('enable_seqscan'))
  const client = await database.pool.connect()
  await client.query('begin')
  if (setting) await client.query(setting.text, setting.values)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${taken?.text}`, taken?.values)
  await client.query('rollback')
  client.release()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain(`Delete on ${table}`)
  expect(plan).not.toContain('Seq Scan')
  await close()
})

test.each([
  ['one number', 1, limits.waiting],
  ['ten numbers', 10, limits.waitingOfTen],
])('200 webhooks of %s that wait are worked off together', async (_what, numbers, most) => {
  const { database, close } = await testDatabase()
  await testNumber(database)
  await run(
    database,
    ...people(1, 200, isOpen),
    `insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url)
       select 'loja' || n, '-', '-', 'http://127.0.0.1:1' from generate_series(2, ${numbers}) n`,
    `update conversations set instance_id = 1 + id % ${numbers}`,
  )
  await database.pool.query(
    `insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload)
       select g.id, g.instance_name, 'messages.upsert', 'key' || n, g.instance_name || ':' || n,
              jsonb_set(jsonb_set($1::jsonb, '{data,key,id}', to_jsonb('GATE' || n)), '{data,key,remoteJid}',
                        to_jsonb('55119' || lpad(n::text, 8, '0') || '@s.whatsapp.net'))
         from generate_series(1, 200) n join evolution_api_config g on g.id = 1 + n % ${numbers}`,
    [JSON.stringify(bodyOf(1))],
  )
  const all: Statement[] = []
  const worker = watch.during(all, () => startInboxWorker(database, createLog('silent'), eventHandlers))
  const arrived = `select count(*)::int as n from messages where whatsapp_message_id like 'GATE%'`
  const count = async () => (await database.pool.query<{ n: number }>(arrived)).rows[0]?.n
  await watch.outside(() => eventually(count, 200))
  await watch.outside(() => worker.stop())
  await close()
  const { statements, roundTrips, commits } = costOf(all)
  expect(statements / 200, formatStatements(all)).toBeLessThanOrEqual(most.statements)
  expect(roundTrips / 200).toBeLessThanOrEqual(most.roundTrips)
  expect(commits / 200).toBeLessThanOrEqual(most.commits)
})
