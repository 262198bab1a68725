import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveFrame } from '#shared/live-events.ts'
import type { App } from './app.ts'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { listPresence } from '#server/platform/live/presence.ts'
import { atNight } from '#server/testing/nightly.ts'
import { connectLive, tabsOfTests, typesOf } from './testing/live-client.ts'
import { type Client, eventually, forAllTests, requestTo, testApp } from './testing/test-app.ts'
import { resetPassword } from './users/users.ts'

/** The first instance is `t`, to which the gateway posts; the second shares only the database with it. */
let elsewhere: Database
const started: App[] = []

const startAnother = async (): Promise<App> => {
  const app = await t.startAnother({ database: elsewhere })
  started.push(app)
  return app
}
const post = (app: { url: string }, path: string, { token }: { token: string }, body: unknown) =>
  requestTo(app.url, 'POST', path, body, { authorization: `Bearer ${token}` })

let lastNumber = 0
const newPhone = () => {
  const number = `55119860${String(++lastNumber).padStart(5, '0')}`
  return t.simulator.control.createPhone({ name: `Pessoa ${lastNumber}`, number }).id
}
const isMessage =
  (text: string) => (frame: Extract<LiveFrame, { type: 'message_received' | 'new_message' }>) =>
    frame.data.message.content === text

const t = forAllTests(testApp)

const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
beforeAll(() => void (elsewhere = t.openAgain()))
afterEach(() => Promise.all(started.splice(0).map((app) => app.stop())))
// The sockets end first, since hooks run in reverse order.
const tabAt = tabsOfTests()

test('an event at one instance is pushed by both, and both answer the same', async () => {
  const other = await startAnother()
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  const phone = newPhone()
  t.simulator.control.sendText(phone, 'quem me ouve?')
  const reported = await Promise.all(
    [here, there].map((tab) => tab.heard('message_received', isMessage('quem me ouve?'))),
  )
  expect(reported[0]?.data.message).toEqual(reported[1]?.data.message)
  const id = reported[0]?.data.conversationId
  await post(other, `/api/conversations/${id}/messages`, bruno, { content: 'todos' })
  for (const tab of [here, there]) await tab.heard('new_message', isMessage('todos'))
  await eventually(() => t.simulator.control.chat(phone).at(-1), { text: 'todos', ack: 'delivered' })
  await t.settled()
  const answers = await Promise.all(
    [t.app, other].map(async ({ url }) => {
      const headers = { authorization: `Bearer ${ana.token}` }
      return (await requestTo<Message[]>(url, 'GET', `/api/conversations/${id}/messages`, undefined, headers))
        .body
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  const texts = answers[0]
    ?.filter(({ messageType }) => isCountedMessage(messageType))
    .map(({ content }) => content)
  expect(texts).toEqual(['quem me ouve?', 'todos'])
})

test('both instances know who is present until the instance stops', async () => {
  const other = await startAnother()
  await tabAt(t.app, ana)
  await tabAt(other, bruno)
  const seen = async () => {
    const found = await listPresence(t.database)
    return [ana, bruno].map(({ userId }) => found.has(userId))
  }
  await eventually(seen, ([isAna, isBruno]) => isAna === true && isBruno === true)
  await other.stop()
  expect(await seen()).toEqual([true, false])
})

const endings: [string, (who: Client, username: string) => Promise<unknown>][] = [
  ['its logout', (who) => who.request('POST', '/api/auth/logout')],
  [
    'a block by an administrator',
    (who) =>
      inTransaction(t.database, async (db) => {
        await db.execute(sql`update users set is_blocked = true where id = ${who.userId}`)
        db.emit({ type: 'session_ended', userId: who.userId })
      }),
  ],
  ['a new password', (_who, username) => resetPassword(t.database, username, 'outra-alface-roxa', 'command')],
  [
    'another role',
    (who) =>
      inTransaction(t.database, async (db) => {
        await db.execute(sql`update users set role = 'supervisor' where id = ${who.userId}`)
        await db.execute(sql`update sessions set ended_at = app_now() where user_id = ${who.userId}`)
        db.emit({ type: 'session_ended', userId: who.userId })
        db.emit({ type: 'permissions_changed', userId: who.userId })
      }),
  ],
]

test.each(endings)(
  'a session that ends by %s closes its sockets at the other instance with 4401',
  async (_name, end) => {
    const other = await startAnother()
    const username = `pessoa-${++lastNumber}`
    const who = await t.signIn('operator', username)
    const [endedTab, anaTab] = [await tabAt(other, who), await tabAt(other, ana)]
    await end(who, username)
    await inTransaction(t.database, async (_db) => _db.emit({ type: 'settings_changed' }))
    await anaTab.heard('settings_changed')
    expect((await endedTab.closed).code).toBe(4401)
    // News of the gateway come at any time, also before the end.
    expect(typesOf(endedTab).filter((type) => type !== 'gateway_state')).toEqual(['hello'])
    const headers = { authorization: `Bearer ${who.token}` }
    const answer = await requestTo(other.url, 'GET', '/api/auth/me', undefined, headers)
    expect(answer.status).toBe(401)
  },
)

test('parallel first messages of many strangers to both instances create one conversation each', async () => {
  const other = await startAnother()
  const config = await findConfigByName(t.database, 'loja1')
  const secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  const strangers = Array.from({ length: atNight(60, 20) }, (_, n) => `55218760${String(n).padStart(5, '0')}`)
  const bodies = strangers.flatMap((phone) =>
    Array.from({ length: 10 }, (_, n) => ({
      event: 'messages.upsert',
      instance: 'loja1',
      data: {
        key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id: `ALBUM${phone}${n}` },
        pushName: `Estranho ${phone}`,
        message: { conversation: `foto ${n}` },
        messageType: 'conversation',
        messageTimestamp: Math.floor(Date.now() / 1000),
      },
    })),
  )
  const answers = await Promise.all(
    bodies.map((body, n) =>
      post(n % 2 === 0 ? t.app : other, '/api/webhook/evolution', { token: secret }, body),
    ),
  )
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  const counted = () =>
    t.sql<{ contacts: number; conversations: number; messages: number }>`
      select count(distinct k.id)::int as contacts, count(distinct c.id)::int as conversations,
                 count(m.id)::int as messages
            from contacts k join conversations c on c.contact_id = k.id
            join messages m on m.conversation_id = c.id
           where k.name like 'Estranho %'`
  const [found] = await eventually(counted, ([row]) => row?.messages === bodies.length, 30_000)
  const people = strangers.length
  expect(found).toEqual({ contacts: people, conversations: people, messages: bodies.length })
}, 60_000)

test('a stopping instance hands its work over to the other', async () => {
  const gone = await testApp()
  const clara = await gone.signIn('operator', 'clara')
  const other = await gone.startAnother()
  const tab = await connectLive(other.url, { token: clara.token })
  await tab.heard('hello')
  const phones = Array.from({ length: 12 }, (_, n) => {
    const number = `551198700${String(n).padStart(4, '0')}`
    return gone.simulator.control.createPhone({ name: `Fila ${n}`, number }).id
  })
  for (const phone of phones) gone.simulator.control.sendText(phone, 'primeira')
  const conversations = await eventually(() => clara.get<Conversation[]>('/api/conversations'), {
    length: phones.length,
  })
  // Messages, replies and the shutdown at the same moment.
  for (const phone of phones) gone.simulator.control.sendText(phone, 'bem na hora')
  const replies = conversations.map(async ({ id }) => {
    const answer = await post(gone.app, `/api/conversations/${id}/messages`, clara, { content: 'já vai' })
    return answer.status
  })
  const accepted = (await Promise.all(replies)).filter((status) => status === 201).length
  await gone.app.stop()
  const [stored] = await rows<{ n: number }>(
    gone.database,
    sql`select count(*)::int as n from webhook_inbox where payload::text like '%bem na hora%'`,
  )
  const reportedOf = () =>
    new Set(
      tab.frames.flatMap((frame) =>
        frame.type === 'message_received' && frame.data.message.content === 'bem na hora'
          ? [frame.data.message.id]
          : [],
      ),
    ).size
  await eventually(reportedOf, stored?.n ?? 0)
  const sent = () =>
    gone.simulator.control.oracle().received.filter((entry) => entry.text === 'já vai').length
  await eventually(sent, accepted)
  expect(accepted).toBe(phones.length)
  await tab.close()
  await other.stop()
  await gone.close()
})
