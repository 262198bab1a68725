import { beforeAll, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Flag } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { given } from '#server/testing/given.ts'
import { type Client, formOf, forAllTests, testApp } from '#server/testing/test-app.ts'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { isTrackingType, messageTypes } from '#shared/messages/message-kinds.ts'
import { allCalls } from '#server/testing/calls.ts'
import { placesOfMessageIds } from '#server/testing/inputs/message-ids.ts'
import { spread } from '#server/testing/nightly.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

beforeAll(() =>
  setFlags(ana, {
    canViewArchivedConversations: false,
    canTransferConversations: true,
    canDeleteConversations: true,
  }),
)

async function setFlags({ userId }: Client, change: Partial<Record<Flag, boolean>>): Promise<void> {
  const flags = JSON.stringify({ ...defaultFlags('operator'), ...change })
  await t.sql`insert into user_permissions (user_id, flags) values (${userId}, ${flags}::jsonb)
        on conflict (user_id) do update set flags = excluded.flags`
}

/** The calls that read a conversation or act on it. */
const acts: [string, string, object?][] = [
  ['GET', '/media'],
  ['GET', '/messages/search?words=oi'],
  ['POST', '/messages', { content: 'oi' }],
  ['GET', '/notes'],
  ['POST', '/notes', { content: 'oi' }],
  ['PATCH', '/assign-operator', { operatorId: null }],
  ['POST', '/transfer', { newOperatorId: 1 }],
  ['POST', '/finalize', {}],
  ['PATCH', '/toggle-auto-close', { disableAutoClose: true }],
  ['PATCH', '/priority', { priority: 'high' }],
  ['POST', '/view', { action: 'enter' }],
  ['POST', '/view', { action: 'leave' }],
  ['PUT', '/read', { lastMessageId: 1 }],
  ['DELETE', '/read'],
  ['PUT', '/draft', { content: 'oi', quotedMessageId: null }],
  ['DELETE', ''],
]
/** Those that read or change it by one of its messages. */
const actsOn = (messageId: number, to: object): [string, string, object?][] => [
  ['PUT', `/messages/${messageId}`, { content: 'outra coisa' }],
  ['DELETE', `/messages/${messageId}`],
  ['PATCH', `/notes/${messageId}`, { content: 'outra coisa' }],
  ['DELETE', `/notes/${messageId}`],
  ['POST', `/messages/${messageId}/undo`],
  ['POST', `/messages/${messageId}/retry`],
  ['PUT', `/messages/${messageId}/reaction`, { emoji: '👍' }],
  ['GET', `/messages/${messageId}/details`],
  ['GET', `/messages/${messageId}/versions`],
  ['POST', `/messages/${messageId}/transcription`],
  ['POST', `/messages/${messageId}/forward`, { to }],
]
const answersOf = async (id: number, calls: [string, string, object?][]) => {
  const answers: [string, number, unknown][] = []
  for (const [method, path, body] of calls) {
    const answer = await ana.request(method, `/api/conversations/${id}${path}`, body)
    answers.push([`${method} ${path}`, answer.status, answer.body])
  }
  return answers
}

const none = 999_999

/** A finished conversation of the administrator, with a reply of that key. */
async function finishedTalk(clientMessageId: string) {
  const conversation = await given.conversation(t, admin)
  const path = `/api/conversations/${conversation.id}`
  const reply = await admin.request<Message>('POST', `${path}/messages`, {
    content: 'pois não',
    clientMessageId,
  })
  await admin.request('POST', `${path}/finalize`, {})
  return { id: conversation.id, messageId: reply.body.id }
}
/** Makes it finished longer ago than an act may be late. */
async function forgetLately(id: number): Promise<void> {
  await t.sql`update conversations set completed_at = completed_at - interval '11 minutes' where id = ${id}`
}

test('a finished conversation that one may not see answers as one that does not exist', async () => {
  const { id, messageId } = await finishedTalk('finished-key')
  // An act that comes a moment too late is still answered with the reason.
  const atOnce = await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'oi' })
  expect(atOnce).toMatchObject({ status: 409, body: { code: 'conversations.completed' } })
  expect(await ana.request('DELETE', `/api/conversations/${id}`)).toMatchObject({ status: 404 })
  await forgetLately(id)
  const open = await given.conversation(t, admin)
  const calls = [...acts, ...actsOn(messageId, { conversationId: open.id })]
  const answers = await answersOf(id, calls)
  expect(answers).toEqual(await answersOf(none, calls))
  for (const [name, status] of answers) expect([name, status]).toEqual([name, 404])
})

test('a send repeated into it by its key answers as one into none', async () => {
  const { id } = await finishedTalk('repeated-key')
  await t.sql`insert into undone_sends (conversation_id, client_message_id) values (${id}, 'undone-key')`
  const conversation = await given.conversation(t, admin)
  const path = `/api/conversations/${conversation.id}/messages`
  const [source] = await ana.get<Message[]>(path)
  /** What each way to send answers. */
  const answersTo = async (conversationId: number, clientMessageId: string) => {
    const answers = [
      await ana.request('POST', '/api/media/upload', formOf({ conversationId, clientMessageId }, 'nota.txt')),
      await ana.request('POST', `${path}/${source?.id}/forward`, { to: { conversationId }, clientMessageId }),
      await ana.request('POST', `/api/conversations/${conversationId}/messages`, {
        content: 'oi',
        clientMessageId,
      }),
    ]
    return answers.map(({ status, body }) => [status, body])
  }
  // A moment later, somebody who saw it open is notified that it is finished, and not what has become of it.
  const [uploaded, forwarded] = await answersTo(id, 'repeated-key')
  const late = [409, expect.objectContaining({ code: 'conversations.completed' })]
  expect([uploaded, forwarded]).toEqual([late, late])
  await forgetLately(id)
  for (const key of ['repeated-key', 'undone-key', 'unknown-key']) {
    const answers = await answersTo(id, key)
    expect(answers).toEqual(await answersTo(none, key))
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404])
  }
})

test('a message to a contact reaches nobody’s open conversation without the right to see it', async () => {
  const conversation = await given.conversation(t, admin)
  const { id: contactId } = conversation.contact
  const bruno = await t.signIn('operator', 'bruno')
  const rights = { canCreateConversations: true, canEditConversations: true, canUploadMedia: true }
  const sendBoth = async () => {
    const path = `/api/contacts/${contactId}/send-message`
    const answer = await bruno.request('POST', path, { content: 'oi de Bruno' })
    const form = formOf({ contactId, caption: 'nota de Bruno' }, 'nota.txt')
    const upload = await bruno.request('POST', '/api/media/upload', form)
    return [answer.status, upload.status]
  }
  const contents = async () => {
    const path = `/api/conversations/${conversation.id}/messages`
    return (await admin.get<Message[]>(path)).map(({ content }) => content)
  }
  const before = await contents()
  await setFlags(bruno, { ...rights, canViewConversations: false })
  expect(await sendBoth()).toEqual([403, 403])
  expect(await contents()).toEqual(before)
  // The same with the right arrives, so that it was the right that was missing.
  await setFlags(bruno, { ...rights, canViewConversations: true })
  expect(await sendBoth()).toEqual([201, 201])
  expect(await contents()).toEqual(expect.arrayContaining(['oi de Bruno', 'nota de Bruno']))
})

let id: number
let contactId: number
/** The stored name of a file. */
let fileName: string
const people = new Map<string, Client>()
const calls = await allCalls()

beforeAll(async () => {
  // Answers are compared apart from the id that was asked for, which must look like nothing else in them: a
  // small one is also the seconds of some time.
  await t.sql`select setval(pg_get_serial_sequence('messages', 'id'), 1000000)`
  for (const role of ['operator', 'supervisor', 'admin'] as const) people.set(role, await t.signIn(role))
  const admin = people.get('admin') as Client
  const conversation = await given.conversation(t, admin)
  id = conversation.id
  contactId = conversation.contactId
  const { body } = await upload(admin)
  fileName = (body as { fileUrl: string }).fileUrl.split('/').at(-1) ?? ''
})

let last = 0
/** A message of the kind that was sent to the client. */
async function messageOf(messageType: string, conversationId = id): Promise<number> {
  const [row] = await t.sql<{ id: number }>`
    insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
                              sent_at, whatsapp_message_id, delivery_status)
        select id, instance_id, 'user', 'Você é o 3º da fila', ${messageType}, app_now(), app_now(),
               ${`TRACK-${++last}`}, 'failed' from conversations where id = ${conversationId} returning id`
  return row?.id ?? 0
}
/** An id that no message has, although later messages have later ones. */
async function unusedId(): Promise<number> {
  const [row] = await t.sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('messages', 'id'))::int as id`
  return row?.id ?? 0
}

interface Reached {
  status: number
  body: unknown
}

const upload = (who: Client, quotedMessageId?: number): Promise<Reached> =>
  who.request<unknown>(
    'POST',
    '/api/media/upload',
    formOf({ conversationId: id, ...(quotedMessageId !== undefined && { quotedMessageId }) }, 'nota.txt'),
  )

/** The file of the message; a message that does not exist has none. */
async function openFile(who: Client, messageId: number): Promise<Reached> {
  const owned = await t.sql`
      update files set message_id = m.id from messages m where m.id = ${messageId} and name = ${fileName}
        returning name`
  const name = owned.length > 0 ? fileName : fileName.split('').toReversed().join('')
  const answer = await fetch(`${t.app.url}/api/media/files/${name}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  return { status: answer.status, body: await answer.text() }
}

type Way = (who: Client, messageId: number) => Promise<Reached>

const ask =
  (method: string, pathOf: (messageId: number) => string, bodyOf?: (messageId: number) => object): Way =>
  (who, messageId) =>
    who.request<unknown>(method, `/api/${pathOf(messageId)}`, bodyOf?.(messageId))
const inTalk = (rest: string) => `conversations/${id}/${rest}`

/** While the conversation is a completed one of the person. */
const inArchive: Way = async (who, messageId) => {
  const set = (state: ReturnType<typeof sql>) => t.sql`update conversations set ${state} where id = ${id}`
  await set(sql`status = 'completed', completed_at = app_now(), assigned_user_id = ${who.userId}`)
  try {
    const path = `/api/conversations/archived/${id}/messages?limit=1&messageId=${messageId}`
    return await who.request<unknown>('GET', path)
  } finally {
    await set(sql`status = 'waiting', completed_at = null, assigned_user_id = null`)
  }
}

const onNote = '/api/conversations/:id/notes/:messageId'
const onMessage = '/api/conversations/:id/messages/:messageId'
/** Every call that takes a message's id, and how it is asked. */
const ways: Record<string, Way> = {
  [`GET /api/conversations/:id/messages query.before`]: ask('GET', (m) => inTalk(`messages?before=${m}`)),
  [`GET /api/conversations/:id/messages query.after`]: ask('GET', (m) => inTalk(`messages?after=${m}`)),
  [`GET /api/conversations/archived/:id/messages query.messageId`]: inArchive,
  [`GET /api/conversations/:id/media query.before`]: ask('GET', (m) => inTalk(`media?before=${m}`)),
  [`GET /api/contacts/:id/media query.before`]: ask('GET', (m) => `contacts/${contactId}/media?before=${m}`),
  [`PUT ${onMessage}/reaction params.messageId`]: ask(
    'PUT',
    (m) => inTalk(`messages/${m}/reaction`),
    () => ({ emoji: '👍' }),
  ),
  [`POST ${onMessage}/retry params.messageId`]: ask('POST', (m) => inTalk(`messages/${m}/retry`)),
  [`GET ${onMessage}/versions params.messageId`]: ask('GET', (m) => inTalk(`messages/${m}/versions`)),
  [`GET ${onMessage}/details params.messageId`]: ask('GET', (m) => inTalk(`messages/${m}/details`)),
  [`POST ${onMessage}/transcription params.messageId`]: ask('POST', (m) =>
    inTalk(`messages/${m}/transcription`),
  ),
  [`POST ${onMessage}/forward params.messageId`]: ask(
    'POST',
    (m) => inTalk(`messages/${m}/forward`),
    () => ({ to: { conversationId: id } }),
  ),
  [`PUT ${onMessage} params.messageId`]: ask(
    'PUT',
    (m) => inTalk(`messages/${m}`),
    () => ({ content: 'outra coisa' }),
  ),
  [`POST ${onMessage}/undo params.messageId`]: ask('POST', (m) => inTalk(`messages/${m}/undo`)),
  [`DELETE ${onMessage} params.messageId`]: ask('DELETE', (m) => inTalk(`messages/${m}`)),
  [`PATCH ${onNote} params.messageId`]: ask(
    'PATCH',
    (m) => inTalk(`notes/${m}`),
    () => ({ content: 'outra coisa' }),
  ),
  [`DELETE ${onNote} params.messageId`]: ask('DELETE', (m) => inTalk(`notes/${m}`)),
  [`PUT /api/conversations/:id/draft body.quotedMessageId`]: ask(
    'PUT',
    () => inTalk('draft'),
    (m) => ({ content: 'sobre isto', quotedMessageId: m }),
  ),
  [`POST /api/conversations/:id/messages body.quotedMessageId`]: ask(
    'POST',
    () => inTalk('messages'),
    (m) => ({ content: 'sobre isto', quotedMessageId: m }),
  ),
  [`PUT /api/conversations/:id/read body.lastMessageId`]: ask(
    'PUT',
    () => inTalk('read'),
    (m) => ({ lastMessageId: m }),
  ),
  [`POST /api/media/upload body.quotedMessageId`]: upload,
  [`GET /api/media/evolution/:messageId params.messageId`]: ask('GET', (m) => `media/evolution/${m}`),
  [`GET /api/media/files/:name params.name`]: openFile,
}
/** What they answer is a position, which is the same for every id, or that it is no note. */
const alwaysEqual = [
  'PUT /api/conversations/:id/read body.lastMessageId',
  `PATCH ${onNote} params.messageId`,
  `DELETE ${onNote} params.messageId`,
]

/** They are compared with the ids of what the contact wrote, as numbers. */
const neverLookedUp = [
  'POST /api/conversations/:id/finalize body.seenMessageId',
  'DELETE /api/conversations/:id query.seenMessageId',
  'PUT /api/conversations/:id/snooze body.seenMessageId',
]

/** What the answer says, apart from the id that was asked for. */
async function answerTo(way: Way, who: Client, messageId: number) {
  const { status, body } = await way(who, messageId)
  const text = JSON.stringify(body ?? null)
    .replaceAll(new RegExp(`\\b${messageId}\\b`, 'g'), 'ID')
    .replaceAll(/"updatedAt":"[^"]*"/g, '')
  return { status, text }
}

test('every call that takes the id of a message is in the list of this test', () => {
  expect([...Object.keys(ways), ...neverLookedUp].toSorted()).toEqual(placesOfMessageIds(calls).toSorted())
})

test('every call that takes the id of a message is found by its parameters', () => {
  const planted = endpoint({
    method: 'POST',
    path: '/api/conversations/:id/pins/:message_id',
    summary: '',
    needs: [],
    audit: { not: 'planted' },
    ids: { id: 'conversation', message_id: 'message' },
    params: z.object({ id: z.string(), message_id: z.string() }),
    query: z.object({ sinceMessageId: z.optional(z.string()), before: z.optional(z.string()) }),
    body: z.object({
      pins: z.array(z.object({ pinnedMessageId: z.int() })),
      to: z.union([z.object({ messageIds: z.array(z.int()) }), z.object({ contactId: z.int() })]),
      clientMessageId: z.string(),
    }),
  })
  expect(placesOfMessageIds([planted]).map((place) => place.split(' ').at(-1))).toEqual([
    'params.message_id',
    'query.sinceMessageId',
    'body.pins.pinnedMessageId',
    'body.to.messageIds',
  ])
})

test.each(spread(Object.entries(ways), 12))(
  '%s reveals messages of administrators to nobody else',
  async (place, way) => {
    for (const messageType of messageTypes.filter(isTrackingType))
      for (const [role, who] of people) {
        const none = await unusedId()
        const hidden = await messageOf(messageType)
        await messageOf('text')
        const unknown = await answerTo(way, who, none)
        const answer = await answerTo(way, who, hidden)
        const about = { messageType, role, ...answer }
        const isSeen = role === 'admin' && !alwaysEqual.includes(place)
        if (isSeen) expect(about).not.toEqual({ messageType, role, ...unknown })
        else expect(about).toEqual({ messageType, role, ...unknown })
      }
  },
)

test.each(Object.entries(ways).filter(([place]) => !alwaysEqual.includes(place)))(
  '%s reveals other messages to everybody',
  async (_place, way) => {
    for (const messageType of ['text', 'image', 'document', 'event'] as const)
      for (const [role, who] of people) {
        const none = await unusedId()
        const visible = await messageOf(messageType)
        await messageOf('text')
        const unknown = await answerTo(way, who, none)
        const answer = await answerTo(way, who, visible)
        expect({ messageType, role, ...answer }).not.toEqual({ messageType, role, ...unknown })
      }
  },
)

/** A client's message that quotes another, as the gateway reports it. */
const quoteInto = (conversationId: number, messageId: number, words: string) =>
  t.sql`insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
                              sent_at, whatsapp_message_id, quoted_whatsapp_id, quoted_content)
        select ${conversationId}, m.instance_id, 'contact', ${words}, 'text', app_now(), app_now(),
               ${words}, m.whatsapp_message_id, m.content from messages m where m.id = ${messageId}`
const quotesIn = async (who: Client, conversationId: number) =>
  (await who.get<Message[]>(`/api/conversations/${conversationId}/messages`)).flatMap(({ quoted }) =>
    quoted ? [quoted] : [],
  )
const automatic = {
  messageId: null,
  conversationId: null,
  content: 'Mensagem automática',
  origin: 'automatic',
}

test('a quote of a tracking message is shown to everybody as an automatic message', async () => {
  const conversation = await given.conversation(t, people.get('admin') as Client)
  await quoteInto(conversation.id, await messageOf('queue_position', conversation.id), 'e quanto falta?')
  for (const who of people.values()) expect(await quotesIn(who, conversation.id)).toMatchObject([automatic])
})

test('a quote of a deleted tracking message is shown as an automatic message', async () => {
  const admin = people.get('admin') as Client
  const [gone, other] = [await given.conversation(t, admin), await given.conversation(t, admin)]
  const hidden = await messageOf('queue_position', gone.id)
  const visible = await messageOf('text', gone.id)
  for (const words of ['de outro número', 'de outro número, visível'])
    await quoteInto(other.id, words.endsWith('visível') ? visible : hidden, words)
  const quotes = [automatic, { messageId: null, content: 'Você é o 3º da fila' }]
  for (const who of people.values()) expect(await quotesIn(who, other.id)).toMatchObject(quotes)
  expect(await admin.request('DELETE', `/api/conversations/${gone.id}`)).toMatchObject({ status: 204 })
  for (const who of people.values()) expect(await quotesIn(who, other.id)).toMatchObject(quotes)
})
