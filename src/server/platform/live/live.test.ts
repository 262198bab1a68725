import { connect } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { events as conversationEvents } from '#shared/conversations/events.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveFrame } from '#shared/live-events.ts'
import type { Role } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { insertMessage } from '#server/conversations/store/write.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import {
  connectLive,
  type LiveClient,
  refusedUpgrade,
  tabsOfTests,
  typesOf,
  type Upgrade,
} from '#server/testing/live-client.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import {
  above,
  type Client,
  eventually,
  forAllTests,
  testApp,
  type TestDatabase,
} from '#server/testing/test-app.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { anyEvent } from '#server/testing/inputs/any-event.ts'

const open: LiveClient[] = []

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => Promise.all(open.splice(0).map((client) => client.terminate())))

/** Connects the socket of a person and waits for its greeting. */
const openTab = tabsOfTests()
const browserOf = (who: { token: string; userId: number }) => openTab(t.app, who)

const bare = async (upgrade: Upgrade) => {
  const client = await connectLive(t.app.url, upgrade)
  open.push(client)
  return client
}

/** Creates a chat with one message of a client. */
async function newChat(): Promise<{ id: number; phoneId: string; name: string }> {
  const { conversation, phoneId } = await newTalk(t, chefe)
  return { id: conversation.id, phoneId, name: conversation.contact.name }
}

const emit = (type: string, more: { conversationId?: number; messageId?: number; userId?: number } = {}) =>
  inTransaction(t.database, async (db) => db.emit(anyEvent(type, more)))

/** Waits until everything that was committed before has been sent. */
async function settled(...clients: LiveClient[]): Promise<void> {
  const already = clients.map((client) => countOf(client, 'settings_changed'))
  await emit('settings_changed')
  for (const [index, client] of clients.entries())
    await eventually(() => countOf(client, 'settings_changed'), above(already[index] ?? 0))
}
const countOf = (client: LiveClient, type: string) =>
  client.frames.filter((frame) => frame.type === type).length

describe('who may connect', () => {
  const cookie = () => ({ cookie: `sid=${ana.token}` })
  /** A page from this address, with Ana's cookie. */
  const page = (origin: string, more: Record<string, string> = {}) => ({
    headers: { ...cookie(), origin, ...more },
  })

  const refused: [string, number, () => Upgrade][] = [
    ['nobody', 401, () => ({ headers: { origin: t.app.url } })],
    ['a made-up token', 401, () => ({ token: 'A'.repeat(43) })],
    ['a made-up cookie', 401, () => page(t.app.url, { cookie: `sid=${'A'.repeat(43)}` })],
    ['a foreign page with the cookie', 403, () => page('https://mal.example')],
    ['a page on another port', 403, () => page('http://127.0.0.1:1')],
    ['a page of a sibling', 403, () => page(t.app.url.replace('//', '//x.'))],
    ['a page whose name begins like ours', 403, () => page(`${t.app.url}.mal.example`)],
    ['a page of nowhere', 403, () => page('null')],
    ['an origin that is no address', 403, () => page('http://')],
    ['a page of ours by HTTP behind HTTPS', 403, () => page(t.app.url, { 'x-forwarded-proto': 'https' })],
    ['a page of ours by FTP', 403, () => page(t.app.url.replace('http:', 'ftp:'))],
    [
      'a foreign page with the bearer',
      403,
      () => ({ token: ana.token, headers: { origin: 'https://mal.example' } }),
    ],
    ['the cookie without a page', 403, () => ({ headers: cookie() })],
    ['the cookie and a bearer without a token', 403, () => ({ protocols: ['bearer'], headers: cookie() })],
    ['the cookie and a made-up bearer', 401, () => ({ token: 'A'.repeat(43), headers: cookie() })],
  ]

  test.each(refused)('%s is refused with %i before anything is said', async (_name, status, upgrade) => {
    expect(await refusedUpgrade(t.app.url, upgrade())).toBe(status)
  })

  test('our own page with the cookie is greeted', async () => {
    const client = await bare(page(t.app.url))
    expect((await client.heard('hello')).n).toBe(1)
  })

  test('a program with the bearer is greeted', async () => {
    const client = await bare({ token: ana.token })
    expect((await client.heard('hello')).data).toMatchObject({ heartbeatMs: 30_000, gatewayConnected: true })
  })

  test('the greeting reports the time by which the product works, not that of the machine', async () => {
    const ahead = await testApp({}, { clockOffset: '3 hours' })
    const who = await ahead.signIn('operator')
    const client = await connectLive(ahead.app.url, { token: who.token })
    const { serverTime } = (await client.heard('hello')).data
    expect((Date.parse(serverTime) - Date.now()) / 3_600_000).toBeCloseTo(3, 2)
    await client.close()
    await ahead.close()
  })

  test.each(['//', '///ws', '/ws/', '/', '/api/ws', '/%77s', '/ws%00', 'http://'])(
    'an upgrade at %j is not found, and nothing breaks',
    async (path) => {
      const socket = connect(t.app.port, '127.0.0.1')
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n` +
          `Origin: ${t.app.url}\r\nCookie: sid=${ana.token}\r\n\r\n`,
      )
      const answer = await new Promise<string>((resolve) => {
        let text = ''
        socket.on('data', (chunk) => (text += chunk.toString('latin1')))
        socket.on('close', () => resolve(text))
        socket.on('error', () => resolve(text))
      })
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
      expect((await t.request('GET', '/healthz')).status).toBe(200)
    },
  )

  test('the eleventh socket of one person is sent away, also when all come at once', async () => {
    const crowd = await t.signIn('operator')
    const clients = await Promise.all(Array.from({ length: 14 }, () => bare({ token: crowd.token })))
    const sentAway = await eventually(() => clients.filter((client) => !client.isOpen), { length: above(3) })
    expect(sentAway).toHaveLength(4)
    for (const client of sentAway) expect((await client.closed).code).toBe(4429)
    expect((await browserOf(ana)).isOpen).toBe(true)
  })
})

test('the frames of each connection are numbered without a hole', async () => {
  const { id } = await newChat()
  const other = await browserOf(chefe)
  const client = await bare({ token: chefe.token })
  client.send({ type: 'request_stats', data: {} })
  client.send({ type: 'authenticate', data: { userId: chefe.userId } })
  client.send({ type: 'active', data: {} })
  // The fetch that follows the greeting covers everything before it.
  await client.heard('hello')
  for (let n = 0; n < 20; n++) await emit('conversation_updated', { conversationId: id })
  await settled(client, other)
  await client.heard('stats_update')
  expect(client.frames[0]?.type).toBe('hello')
  for (const { frames } of [client, other])
    expect(frames.map((frame) => frame.n)).toEqual(frames.map((_, index) => index + 1))
  expect(new Set(client.frames.map((frame) => frame.epoch)).size).toBe(1)
  expect(countOf(client, 'conversation_updated')).toBeGreaterThan(0)
})

test.each([
  ['the id of somebody else', () => chefe.userId],
  ['an id of nobody', () => 2_147_483_647],
  ['its id as a text', () => String(ana.userId)],
  ['its id in a list', () => [ana.userId]],
  ['its id in an object', () => ({ id: ana.userId })],
  ['nothing', () => null],
  ['true', () => true],
])('%s as who it is closes the socket', async (_name, userId) => {
  const client = await bare({ token: ana.token })
  client.send({ type: 'authenticate', data: { userId: userId() } })
  expect((await client.closed).code).toBe(4403)
  expect(typesOf(client)).not.toContain('message_received')
})

test('frames of the server’s types, broken ones and bytes are ignored by everybody', async () => {
  const { id } = await newChat()
  const [mine, other] = [await browserOf(ana), await browserOf(chefe)]
  await settled(mine, other)
  // The state of the gateway is reported when it is first known, some seconds after the start.
  const counts = () =>
    [mine, other].map((client) => typesOf(client).filter((type) => type !== 'gateway_state').length)
  const before = counts()
  for (const type of [
    'new_conversation',
    'message_received',
    'stats_update',
    'hello',
    'conversation_removed',
  ])
    mine.send({ type, data: { conversationId: id, stats: {} } })
  for (const raw of [
    '',
    '{',
    'null',
    '[]',
    '3',
    '"x"',
    '{}',
    '{"type":"authenticate"}',
    '{"__proto__":{"polluted":1}}',
  ])
    mine.sendRaw(raw)
  mine.sendRaw(Buffer.from([0, 1, 2, 255]))
  mine.sendRaw('['.repeat(20_000))
  mine.send({ type: 'authenticate', data: { userId: ana.userId } })
  await settled(mine, other)
  expect(counts()).toEqual(before.map((count) => count + 1))
  expect(mine.isOpen).toBe(true)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('statistics are those that the same person gets by REST', async () => {
  for (const who of [ana, chefe]) {
    const client = await browserOf(who)
    // Presence is written in the background, so the two answers may differ for a moment.
    await vi.waitFor(async () => {
      const heardBefore = client.frames.length
      client.send({ type: 'request_stats', data: {} })
      const frame = await client.heard('stats_update', (one) => client.frames.indexOf(one) >= heardBefore)
      const rest = await who.request('GET', '/api/stats')
      expect(frame.data.stats).toEqual(rest.body)
    }, 20_000)
  }
})

test('who may see no statistics is sent none', async () => {
  const blind = await restricted({ canViewDashboard: false, canViewStatistics: false })
  const client = await browserOf(blind)
  client.send({ type: 'request_stats', data: {} })
  await settled(client)
  expect(typesOf(client)).not.toContain('stats_update')
})

/** Creates a user with a record of their own. */
async function restricted(flags: Record<string, boolean>, role: Exclude<Role, 'admin'> = 'operator') {
  const who = await t.signIn(role)
  const record = { ...defaultFlags(role), ...flags }
  await t.sql`insert into user_permissions (user_id, flags)
         values (${who.userId}, ${JSON.stringify(record)}::jsonb)`
  return who
}

describe('coming back', () => {
  const resume = async (who: Client, lastCursor: string, epoch: string) => {
    const client = await bare({ token: who.token })
    client.send({ type: 'authenticate', data: { userId: who.userId, lastCursor, epoch } })
    return client
  }
  /** The place of a browser that is gone. */
  const leftAt = async () => {
    const browser = await browserOf(ana)
    await settled(browser)
    // The next frame has the cursor after everything that was sent.
    await settled(browser)
    const { cursor, epoch } = browser.frames.at(-1) as LiveFrame
    await browser.terminate()
    return { cursor, epoch }
  }

  test('missed events are delivered, then the end of the replay', async () => {
    const chat = await newChat()
    const { cursor, epoch } = await leftAt()
    const texts = ['um', 'dois', 'três']
    for (const text of texts) t.simulator.control.sendText(chat.phoneId, text)
    await eventually(() => ana.get<Message[]>(`/api/conversations/${chat.id}/messages`), { length: 4 })
    const again = await resume(ana, cursor, epoch)
    await again.heard('resumed')
    const reported = again.frames
      .filter((frame) => frame.type === 'message_received')
      .map((frame) => frame.data.message.content)
    // A cursor cannot pass a transaction that is open anywhere on the server: what it does not cover yet is
    // reported again, and the browser drops what it has.
    expect(reported.filter((text) => text !== 'oi')).toEqual(texts)
    expect(reported.slice(-texts.length)).toEqual(texts)
    expect(typesOf(again).indexOf('resumed')).toBeGreaterThan(typesOf(again).lastIndexOf('message_received'))
    expect(again.frames.map((frame) => frame.n)).toEqual(again.frames.map((_, index) => index + 1))
  })

  test('events while the page loads are delivered from the session’s position', async () => {
    const chat = await newChat()
    const { body } = await ana.request<{ live: { epoch: string; cursor: string } }>('GET', '/api/auth/me')
    await inTransaction(t.database, async (db) => {
      db.emit({ type: 'conversation_updated', conversationId: chat.id })
    })
    const client = await resume(ana, body.live.cursor, body.live.epoch)
    await client.heard('resumed')
    expect(typesOf(client)).toContain('conversation_updated')
    expect(typesOf(client)).not.toContain('resync')
  })

  test('nothing is lost by whoever drops out between two frames that came together', async () => {
    const { id } = await newChat()
    const before = await browserOf(ana)
    await settled(before)
    await inTransaction(t.database, async (db) => {
      for (const type of ['conversation_updated', 'new_conversation', 'conversation_transferred'])
        db.emit(anyEvent(type, { conversationId: id }))
    })
    const first = await before.heard('conversation_updated', (frame) => frame.data.conversationId === id)
    await before.terminate()
    const again = await resume(ana, first.cursor, first.epoch)
    await again.heard('resumed')
    const reported = typesOf(again)
    expect(reported).toContain('new_conversation')
    expect(reported).toContain('conversation_transferred')
  })

  test('nothing is lost by a client that drops out during a replay', async () => {
    const { id } = await newChat()
    const { cursor, epoch } = await leftAt()
    for (const type of ['conversation_updated', 'new_conversation', 'conversation_transferred'])
      await emit(type, { conversationId: id })
    const second = await resume(ana, cursor, epoch)
    await second.heard('resumed')
    const middle = await second.heard('conversation_updated')
    await second.terminate()
    const third = await resume(ana, middle.cursor, middle.epoch)
    await third.heard('resumed')
    expect(typesOf(third)).toContain('conversation_transferred')
  })

  test('the permissions of the moment count for what was missed', async () => {
    const { id } = await newChat()
    const { cursor, epoch } = await leftAt()
    await emit('conversation_updated', { conversationId: id })
    await emit('customer_message_notification', { conversationId: id, userId: chefe.userId })
    const blind = await restricted({ canViewConversations: false })
    const again = await resume(blind, cursor, epoch)
    await again.heard('resumed')
    expect(typesOf(again).filter((type) => type.includes('conversation'))).toEqual([])
  })

  test('with a place in another database, or in none, everything is fetched', async () => {
    const { cursor, epoch } = await leftAt()
    const reasonOf = async (...place: [string, string]) => {
      const again = await resume(ana, ...place)
      const { reason } = (await again.heard('resync')).data
      expect(typesOf(again)).not.toContain('resumed')
      return reason
    }
    expect(await reasonOf(cursor, 'of-another-database')).toBe('epoch')
    expect(await reasonOf('garbage', epoch)).toBe('no_cursor')
  })
})

describe('who receives what', () => {
  /** Writes an event of this message type, as the queue and the view tracking do. */
  const writeMessage = (conversationId: number, messageType: Message['messageType']) =>
    inTransaction(t.database, async (db) => {
      const conversation = await lockConversation(db, conversationId)
      if (!conversation) throw new Error('no conversation')
      const { id } = await insertMessage(db, conversation, {
        senderType: 'user',
        content: `texto ${messageType}`,
        messageType,
      })
      db.emit({ type: 'new_message', conversationId, messageId: id })
      return id
    })

  test.each(['view_tracking', 'queue_notification', 'queue_position', 'queue_welcome'] as const)(
    '%s rows are for administrators alone: not the row, not its count, not its place in the list',
    async (messageType) => {
      const { id } = await newChat()
      const supervisor = await restricted({ canViewTrackingMessages: true }, 'supervisor')
      const clients = [await browserOf(chefe), await browserOf(ana), await browserOf(supervisor)] as const
      const read = async (who: Client) => ({
        conversation: await who.get<Conversation>(`/api/conversations/${id}`),
        messages: await who.get<Message[]>(`/api/conversations/${id}/messages`),
      })
      const before = await read(ana)
      const messageId = await writeMessage(id, messageType)
      await settled(...clients)
      const heard = (client: LiveClient) =>
        client.frames.some((frame) => frame.type === 'new_message' && frame.data.message.id === messageId)
      expect(clients.map(heard)).toEqual([true, false, false])
      for (const who of [ana, supervisor]) {
        const after = await read(who)
        expect(after.messages.map((message) => message.id)).not.toContain(messageId)
        expect(after.conversation).toEqual(before.conversation)
        expect(JSON.stringify((await who.request('GET', '/api/conversations')).body)).not.toContain(
          messageType,
        )
      }
      expect((await read(chefe)).messages.map((message) => message.id)).toContain(messageId)
    },
  )

  test('a message of people is sent to everybody who sees conversations', async () => {
    const { id } = await newChat()
    const clients = [await browserOf(chefe), await browserOf(ana)]
    const messageId = await writeMessage(id, 'text')
    for (const client of clients)
      await client.heard('new_message', (frame) => frame.data.message.id === messageId)
  })

  test('without canViewConversations there is no frame about any conversation', async () => {
    const blind = await restricted({ canViewConversations: false })
    const [eyes, none] = [await browserOf(ana), await browserOf(blind)]
    const chat = await newChat()
    t.simulator.control.sendText(chat.phoneId, 'mais uma')
    await ana.request('POST', `/api/conversations/${chat.id}/messages`, { content: 'resposta' })
    await emit('new_conversation_notification', { conversationId: chat.id, userId: blind.userId })
    await emit('queue_changed')
    await settled(eyes, none)
    // On a slow machine there may be news of the gateway besides.
    expect(typesOf(none).filter((type) => Object.hasOwn(conversationEvents, type))).toEqual([])
    expect(typesOf(none)).toContain('settings_changed')
    expect(typesOf(eyes)).toContain('message_received')
    expect(JSON.stringify(none.frames)).not.toContain(chat.name)
  })

  test('an event for one person is sent to that person alone', async () => {
    const { id } = await newChat()
    const [mine, other] = [await browserOf(ana), await browserOf(chefe)]
    await emit('new_conversation_notification', { conversationId: id, userId: ana.userId })
    await settled(mine, other)
    expect([mine, other].map((client) => countOf(client, 'new_conversation_notification'))).toEqual([1, 0])
  })

  test('a client without access to a completed conversation learns only that it left', async () => {
    const chat = await newChat()
    await ana.request('POST', `/api/conversations/${chat.id}/messages`, { content: 'sou eu' })
    const bruno = await t.signIn('operator')
    const [anaTab, brunoTab] = [await browserOf(ana), await browserOf(bruno)]
    await settled(anaTab, brunoTab)
    const from = brunoTab.frames.length
    await ana.request('POST', `/api/conversations/${chat.id}/finalize`, {})
    await brunoTab.heard('conversation_removed', (frame) => frame.data.conversationId === chat.id)
    await anaTab.heard('conversation_updated', (frame) => frame.data.conversation.status === 'completed')
    await settled(brunoTab)
    const rows = brunoTab.frames.slice(from).filter((frame) => 'conversation' in frame.data)
    expect(rows.filter((frame) => JSON.stringify(frame).includes('"status":"completed"'))).toEqual([])
  })

  test('events of an unknown kind are sent to nobody', async () => {
    const client = await browserOf(chefe)
    await emit('something_new')
    await emit('new_message', { conversationId: 1, messageId: 2_000_000_000 })
    await emit('session_ended', { userId: 2_000_000_000 })
    await settled(client)
    expect(typesOf(client)).not.toContain('something_new')
    expect(typesOf(client)).not.toContain('session_ended')
    expect(JSON.stringify(client.frames)).not.toContain('2000000000')
  })
})

/** The newest version of each conversation and message that this person got. */
function newest(client: LiveClient) {
  const conversations = new Map<number, Conversation>()
  const messages = new Map<number, Message>()
  for (const frame of client.frames) {
    if ('conversation' in frame.data) conversations.set(frame.data.conversationId, frame.data.conversation)
    if ('message' in frame.data) messages.set(frame.data.message.id, frame.data.message)
  }
  return { conversations, messages }
}

async function compare(who: Client, client: LiveClient, chatId: number): Promise<void> {
  await t.settled()
  await eventually(
    async () => {
      const reported = newest(client)
      const conversation = await who.get<Conversation>(`/api/conversations/${chatId}`)
      const messages = await who.get<Message[]>(`/api/conversations/${chatId}/messages`)
      const known = messages.filter((message) => reported.messages.has(message.id))
      return {
        fetched: { conversation, messages: known },
        reported: {
          conversation: reported.conversations.get(chatId),
          messages: known.map((message) => reported.messages.get(message.id)),
        },
        hasAny: known.length > 0,
      }
    },
    ({ fetched, reported, hasAny }) => hasAny && JSON.stringify(fetched) === JSON.stringify(reported),
  )
}

test('the frame of each event carries what the same person, of any role, would fetch', async () => {
  const supervisora = await t.signIn('supervisor')
  const people = [ana, supervisora, chefe]
  // Alone in the queue: when others leave it, the position changes without an event of its own.
  await t.sql`update conversations set status = 'completed', completed_at = app_now()`
  const clients = await Promise.all(people.map(browserOf))
  const all = async (chatId: number) => {
    for (const [index, who] of people.entries()) await compare(who, clients[index] as LiveClient, chatId)
  }
  const chat = await newChat()
  await all(chat.id)
  const reply = await ana.request<Message>('POST', `/api/conversations/${chat.id}/messages`, {
    content: 'olá!',
  })
  await all(chat.id)
  t.simulator.control.open(chat.phoneId)
  await all(chat.id)
  const question = t.simulator.control.sendText(chat.phoneId, 'e o preço?')
  await all(chat.id)
  t.simulator.control.edit(chat.phoneId, question.id, 'e o preço à vista?')
  await all(chat.id)
  const messages = await ana.get<Message[]>(`/api/conversations/${chat.id}/messages`)
  const waId = messages.find((message) => message.id === reply.body.id)?.whatsappMessageId ?? ''
  t.simulator.control.react(chat.phoneId, { messageId: waId, emoji: '👍' })
  await all(chat.id)
  t.simulator.control.remove(chat.phoneId, question.id)
  await all(chat.id)
  const transferred = await supervisora.request('POST', `/api/conversations/${chat.id}/transfer`, {
    newOperatorId: chefe.userId,
  })
  expect(transferred.status).toBe(200)
  await all(chat.id)
  await chefe.request('PATCH', `/api/conversations/${chat.id}/assign-operator`, { operatorId: null })
  await all(chat.id)
  await ana.request('PATCH', `/api/conversations/${chat.id}/assign-operator`, { operatorId: ana.userId })
  await all(chat.id)
  await ana.request('POST', `/api/conversations/${chat.id}/finalize`, { notes: 'fim' })
  await all(chat.id)
  const seen = new Set(clients.flatMap(typesOf))
  for (const type of [
    'new_conversation_with_sound',
    'message_received',
    'new_message',
    'conversation_updated',
    'conversation_transferred',
    'customer_message_notification',
    'new_conversation_notification',
  ])
    expect(seen).toContain(type)
})

test('the end of a session closes its sockets, and no others', async () => {
  const leaving = await t.signIn('operator', 'saindo')
  const [leavingTab, anaTab] = [await browserOf(leaving), await browserOf(ana)]
  await leaving.request('POST', '/api/auth/logout')
  expect((await leavingTab.closed).code).toBe(4401)
  expect(anaTab.isOpen).toBe(true)
})

test('a socket that opens while its session ends is closed too', async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await t.signIn('operator')
    const [client] = await Promise.all([
      bare({ token: leaving.token }).catch(() => undefined),
      leaving.request('POST', '/api/auth/logout'),
    ])
    // Refused at the upgrade, or closed after it.
    if (client) expect((await client.closed).code).toBe(4401)
  }
})

test('changed permissions count for the very next frame', async () => {
  const { id } = await newChat()
  const who = await t.signIn('operator')
  const client = await browserOf(who)
  await settled(client)
  await inTransaction(t.database, async (db) => {
    const flags = { ...defaultFlags('operator'), canViewConversations: false }
    await db.execute(
      sql`insert into user_permissions (user_id, flags)
           values (${who.userId}, ${JSON.stringify(flags)}::jsonb)`,
    )
    db.emit({ type: 'permissions_changed', userId: who.userId })
  })
  await emit('conversation_updated', { conversationId: id })
  await settled(client)
  expect(typesOf(client)).toContain('permissions_changed')
  expect(typesOf(client)).not.toContain('conversation_updated')
})

describe('trouble', () => {
  test('events that cannot be shown make everybody fetch, and the next ones are reported', async () => {
    const { id } = await newChat()
    const client = await browserOf(ana)
    await t.sql`alter table contact_categories rename to hidden_categories`
    await emit('conversation_updated', { conversationId: id })
    await client.heard('resync')
    await t.sql`alter table hidden_categories rename to contact_categories`
    await emit('conversation_transferred', { conversationId: id })
    await client.heard('conversation_transferred')
  })

  test('what happens while the database cannot be reached is reported when it can', async () => {
    let way: Awaited<ReturnType<TestDatabase['openCuttable']>> | undefined
    const cut = await testApp({}, { open: async (db) => (way = await db.openCuttable()).database })
    const somebody = await cut.signIn('admin')
    const client = await connectLive(cut.app.url, { token: somebody.token })
    await client.heard('hello')
    way?.cut()
    await inTransaction(cut.database, async (db) => db.emit({ type: 'settings_changed' }))
    way?.mend()
    await client.heard('settings_changed')
    const { code } = await Promise.all([client.closed, cut.close()]).then(([closed]) => closed)
    expect(code).toBe(1012)
  })
})

test('a restart closes every socket with 1012, greeted or not, and takes no new one', async () => {
  const app = await testApp()
  const somebody = await app.signIn('admin')
  const [greeted, fresh] = [
    await connectLive(app.app.url, { token: somebody.token }),
    await connectLive(app.app.url, { token: somebody.token }),
  ]
  await greeted.heard('hello')
  const stopping = app.app.stop()
  expect((await greeted.closed).code).toBe(1012)
  expect((await fresh.closed).code).toBe(1012)
  await stopping
  await app.close()
})
