import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { WebSocket } from 'ws'
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
import { type Client, eventually, forAllTests, testApp, type TestDatabase } from '#server/testing/test-app.ts'
import { type Who } from '#server/platform/http/access.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { formatCursor } from '#server/platform/database/events.ts'
import { LiveSocket } from './live-socket.ts'
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
    await eventually(
      () => countOf(client, 'settings_changed'),
      (count) => count > (already[index] ?? 0),
    )
}
const countOf = (client: LiveClient, type: string) =>
  client.frames.filter((frame) => frame.type === type).length

describe('who may connect', () => {
  const origin = () => ({ origin: t.app.url })
  const cookie = () => ({ cookie: `sid=${ana.token}` })

  const refused: [string, number, () => Upgrade][] = [
    ['nobody', 401, () => ({ headers: origin() })],
    ['a made-up token', 401, () => ({ token: 'A'.repeat(43) })],
    ['a made-up cookie', 401, () => ({ headers: { ...origin(), cookie: `sid=${'A'.repeat(43)}` } })],
    [
      'a foreign page with the cookie',
      403,
      () => ({ headers: { ...cookie(), origin: 'https://mal.example' } }),
    ],
    ['a page on another port', 403, () => ({ headers: { ...cookie(), origin: 'http://127.0.0.1:1' } })],
    [
      'a page of a sibling',
      403,
      () => ({ headers: { ...cookie(), origin: t.app.url.replace('//', '//x.') } }),
    ],
    [
      'a page whose name begins like ours',
      403,
      () => ({ headers: { ...cookie(), origin: `${t.app.url}.mal.example` } }),
    ],
    ['a page of nowhere', 403, () => ({ headers: { ...cookie(), origin: 'null' } })],
    ['an origin that is no address', 403, () => ({ headers: { ...cookie(), origin: 'http://' } })],
    [
      'a foreign page with the bearer',
      403,
      () => ({ token: ana.token, headers: { origin: 'https://mal.example' } }),
    ],
    [
      'our own page by plain HTTP when the request came by HTTPS',
      403,
      () => ({ headers: { ...cookie(), ...origin(), 'x-forwarded-proto': 'https' } }),
    ],
    [
      'a page of our host that is neither HTTP nor HTTPS',
      403,
      () => ({ headers: { ...cookie(), origin: t.app.url.replace('http:', 'ftp:') } }),
    ],
    ['the cookie without a page', 403, () => ({ headers: cookie() })],
    ['the cookie and a bearer without a token', 403, () => ({ protocols: ['bearer'], headers: cookie() })],
    ['the cookie and a made-up bearer', 401, () => ({ token: 'A'.repeat(43), headers: cookie() })],
  ]

  test.each(refused)('%s is refused with %i before anything is said', async (_name, status, upgrade) => {
    expect(await refusedUpgrade(t.app.url, upgrade())).toBe(status)
  })

  test('our own page with the cookie is greeted', async () => {
    const client = await bare({ headers: { ...origin(), ...cookie() } })
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
    const sentAway = await eventually(
      () => clients.filter((client) => !client.isOpen),
      (closed) => closed.length >= 4,
    )
    expect(sentAway).toHaveLength(4)
    for (const client of sentAway) expect((await client.closed).code).toBe(4429)
    expect((await browserOf(ana)).isOpen).toBe(true)
  })
})

test('the frames of a connection are numbered without a hole', async () => {
  const { id } = await newChat()
  const client = await bare({ token: chefe.token })
  client.send({ type: 'request_stats', data: {} })
  client.send({ type: 'authenticate', data: { userId: chefe.userId } })
  client.send({ type: 'active', data: {} })
  // The fetch that follows the greeting covers everything before it.
  await client.heard('hello')
  for (let n = 0; n < 20; n++) await emit('conversation_updated', { conversationId: id })
  await settled(client)
  await client.heard('stats_update')
  expect(client.frames[0]?.type).toBe('hello')
  expect(client.frames.map((frame) => frame.n)).toEqual(client.frames.map((_, index) => index + 1))
  expect(new Set(client.frames.map((frame) => frame.epoch)).size).toBe(1)
  expect(countOf(client, 'conversation_updated')).toBeGreaterThan(0)
})

test('two connections of one person count for themselves', async () => {
  const [one, two] = [await browserOf(ana), await browserOf(ana)]
  await settled(one, two)
  expect(one.frames.at(-1)?.n).toBe(one.frames.length)
  expect(two.frames.at(-1)?.n).toBe(two.frames.length)
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

test('a frame larger than any that is needed closes with 1009', async () => {
  const client = await browserOf(ana)
  client.sendRaw(JSON.stringify({ type: 'active', data: 'x'.repeat(70_000) }))
  expect((await client.closed).code).toBe(1009)
})

test('a flood of good frames closes with 4429, and others notice nothing', async () => {
  const [flooder, other] = [await browserOf(ana), await browserOf(chefe)]
  for (let n = 0; n < 400 && flooder.isOpen; n++) flooder.send({ type: 'active', data: {} })
  expect((await flooder.closed).code).toBe(4429)
  await settled(other)
  expect(other.isOpen).toBe(true)
})

test('a flood of meaningless frames closes with 4429', async () => {
  const flooder = await browserOf(ana)
  for (let n = 0; n < 60; n++) flooder.sendRaw('?')
  expect((await flooder.closed).code).toBe(4429)
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
  const placeOf = async (client: LiveClient) => {
    await settled(client)
    // The next frame has the cursor after everything that was sent.
    await settled(client)
    const { cursor, epoch } = client.frames.at(-1) as LiveFrame
    return { cursor, epoch }
  }
  /** The place of a browser that is gone. */
  const leftAt = async () => {
    const browser = await browserOf(ana)
    const place = await placeOf(browser)
    await browser.terminate()
    return place
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
    const before = await browserOf(ana)
    const { cursor, epoch } = await placeOf(before)
    await emit('conversation_updated', { conversationId: id })
    await emit('customer_message_notification', { conversationId: id, userId: chefe.userId })
    const blind = await restricted({ canViewConversations: false })
    const again = await resume(blind, cursor, epoch)
    await again.heard('resumed')
    expect(typesOf(again).filter((type) => type.includes('conversation'))).toEqual([])
  })

  test.each([
    ['another epoch', 'epoch', (cursor: string) => ({ cursor, epoch: 'of-another-database' })],
    ['garbage', 'no_cursor', (_cursor: string, epoch: string) => ({ cursor: 'garbage', epoch })],
    [
      'a number beyond all numbers',
      'no_cursor',
      (_cursor: string, epoch: string) => ({ cursor: '99999999999999999999.1', epoch }),
    ],
  ] as const)('with %s everything is fetched', async (_name, reason, change) => {
    const before = await browserOf(ana)
    const { cursor, epoch } = await placeOf(before)
    const asked = change(cursor, epoch)
    const again = await resume(ana, asked.cursor, asked.epoch)
    expect((await again.heard('resync')).data.reason).toBe(reason)
    expect(typesOf(again)).not.toContain('resumed')
  })

  test('after more than 500 events everything is fetched', async () => {
    const { cursor, epoch } = await leftAt()
    await t.sql`insert into events (type) select 'settings_changed' from generate_series(1, 501)`
    const again = await resume(ana, cursor, epoch)
    expect((await again.heard('resync')).data.reason).toBe('too_many')
    await t.sql`truncate events`
  })

  test('after events that were forgotten everything is fetched', async () => {
    const { cursor, epoch } = await leftAt()
    await t.sql`delete from events`
    await emit('settings_changed')
    const again = await resume(ana, cursor, epoch)
    expect((await again.heard('resync')).data.reason).toBe('too_old')
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

describe('a frame carries what the same person would fetch', () => {
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

  test('for each event of a conversation, for an operator, a supervisor and an administrator', async () => {
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

  /** A socket whose peer does nothing. */
  function deadSocket() {
    const said = { closed: 0, terminated: 0, sent: 0, pings: 0 }
    const ws = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: 0,
      send: () => void said.sent++,
      ping: () => void said.pings++,
      close: (code: number) => void (said.closed = code),
      terminate: () => void said.terminated++,
    })
    const duplex = Object.assign(new PassThrough(), { bytesRead: 0 })
    const socket = new LiveSocket({
      ws: ws as unknown as WebSocket,
      duplex,
      who: {} as Who,
      epoch: 'e',
      id: 'i',
    })
    const cursor = formatCursor({ tx: '1', seq: '1' })
    socket.greet({ type: 'settings_changed', data: {} }, cursor)
    return { ws, duplex, socket, said, cursor }
  }

  test('who reads too slowly is sent away rather than kept in memory', () => {
    const { ws, socket, said, cursor } = deadSocket()
    expect(said).toMatchObject({ sent: 1, closed: 0 })
    ws.bufferedAmount = 1_048_577
    socket.send({ type: 'settings_changed', data: {} }, cursor)
    expect(said).toMatchObject({ sent: 1, closed: 4408 })
  })

  test('who answers two pings no more is gone, and who answers stays', () => {
    const { ws, duplex, socket, said } = deadSocket()
    for (let n = 0; n < 5; n++) {
      socket.ping()
      duplex.bytesRead += 6
      ws.emit('pong', Buffer.alloc(0))
    }
    expect(said).toMatchObject({ pings: 5, terminated: 0 })
    for (let n = 0; n < 3; n++) socket.ping()
    expect(said).toMatchObject({ pings: 7, terminated: 1 })
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
