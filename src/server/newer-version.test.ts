import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { connectLive, type LiveClient, openTab } from './testing/live-client.ts'
import { eventually, forAllTests, testApp, type TestApp } from './testing/test-app.ts'
import { anyEvent } from './testing/inputs/any-event.ts'

/**
 * During an update this version runs for a while on a database that the next version has already expanded,
 * beside instances of that version. The expansions here represent everything that an expand step may do.
 */
const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
let tab: LiveClient
let phone: string

beforeAll(async () => {
  tab = await openTab(t.app, ana)
  phone = t.simulator.control.createPhone({ name: 'Dona Rita', number: '5511987650001' }).id
  await t.database.transaction(expand)
})
afterAll(() => tab.close())

async function expand(db: Parameters<Parameters<TestApp['database']['transaction']>[0]>[0]): Promise<void> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  for (const { name } of tables) {
    const table = sql.identifier(name)
    await db.execute(sql`alter table ${table} add column of_the_next_version text default 'new'`)
    await db.execute(sql`alter table ${table} add column needed_by_the_next_version int not null default 7`)
  }
  await db.execute(sql`create table of_the_next_version (id int primary key, conversation_id int)`)
}

const conversation = async () =>
  (await ana.get<Conversation[]>('/api/conversations')).find((row) => row.contact.name === 'Dona Rita')
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
/** An event of the next version, whose type this one does not know. */
const emitUnknownEvent = () =>
  inTransaction(t.database, async (db) => {
    db.emit(anyEvent('conversation_translated', { conversationId: 1, data: { language: 'fr' } }))
    await db.execute(
      sql`insert into of_the_next_version values (1 + (select count(*)::int from of_the_next_version))`,
    )
  })

test('a client writes while the database is the next version’s: the message arrives', async () => {
  await emitUnknownEvent()
  t.simulator.control.sendText(phone, 'já mudou?')
  await tab.heard('message_received', (frame) => frame.data.message.content === 'já mudou?')
  expect((await conversation())?.lastMessage?.content).toBe('já mudou?')
  expect(tab.frames.map((frame) => frame.type)).not.toContain('conversation_translated')
  expect(JSON.stringify(await conversation())).not.toContain('next_version')
})

test('an operator answers, and the answer is on the phone and ticked', async () => {
  const { id } = (await conversation()) as Conversation
  const answer = await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'ainda não' })
  expect(answer.status).toBe(201)
  await eventually(
    async () => (await messagesOf(id)).find((message) => message.content === 'ainda não')?.deliveryStatus,
    (status) => status === 'delivered' || status === 'read',
  )
})

test('a returning tab receives what it missed, past events that it cannot know', async () => {
  const { cursor, epoch } = tab.frames.at(-1) ?? { cursor: '', epoch: '' }
  await tab.terminate()
  await emitUnknownEvent()
  t.simulator.control.sendText(phone, 'e agora?')
  await eventually(conversation, (row) => row?.lastMessage?.content === 'e agora?')
  tab = await connectLive(t.app.url, { token: ana.token })
  const data = { userId: ana.userId, lastCursor: cursor, epoch, theNextVersionAsksForThis: true }
  tab.send({ type: 'translate', data: {} })
  tab.send({ type: 'authenticate', data })
  await tab.heard('resumed')
  await tab.heard('message_received', (frame) => frame.data.message.content === 'e agora?')
  expect(tab.frames.map((frame) => frame.n)).toEqual(tab.frames.map((_, index) => index + 1))
})

test('what the next version says on the channel wakes nobody wrongly, and is no harm', async () => {
  for (const words of ['{"from":"next","channels":["events","translations"]}', '{"v":2,"to":"all"}', 'x'])
    await t.sql`select pg_notify('balcao', ${words})`
  t.simulator.control.sendText(phone, 'mais uma')
  await tab.heard('message_received', (frame) => frame.data.message.content === 'mais uma')
})

test('a second instance of this version still starts on it', async () => {
  const other = await t.startAnother()
  const answer = await fetch(`${other.url}/readyz`)
  expect(answer.status).toBe(200)
  await other.stop()
})

test('a message of a kind that only the next version knows hides no other', async () => {
  const { id } = (await conversation()) as Conversation
  await t.sql`alter table messages drop constraint messages_type`
  await inTransaction(t.database, async (db) => {
    const [changed] = await rows<{ id: number }>(
      db,
      sql`update messages set message_type = 'hologram', version = version + 1 where content = 'mais uma'
           returning id`,
    )
    db.emit({ type: 'message_received', conversationId: id, messageId: changed?.id ?? 0 })
  })
  const answer = await ana.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  expect(answer.status).toBe(200)
  expect(answer.body.map((message) => message.content)).toContain('mais uma')
  expect((await ana.request('GET', '/api/conversations')).status).toBe(200)
})
