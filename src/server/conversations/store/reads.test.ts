import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Flag, Flags } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type ConversationRead, unreadOf } from '#shared/conversations/reads.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { type Person, person } from '#server/testing/test-person.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

/** An operator with other flags than the role's. */
async function operatorWith(changes: Flags): Promise<Client> {
  const who = await t.signIn('operator')
  const record = { ...defaultFlags('operator'), ...changes }
  await t.database.execute(
    sql`insert into user_permissions (user_id, flags)
         values (${who.userId}, ${JSON.stringify(record)}::jsonb)`,
  )
  return who
}
const only = (flag: Flag, isOn: boolean) => ({ [flag]: isOn }) as Flags

/** What the conversation and its messages answer. */
async function answersTo(who: Client, id: number) {
  const path = `/api/conversations/${id}`
  const pages = ['', '?limit=1', '?before=2147483647', '?after=1']
  const statuses = await Promise.all(
    [path, ...pages.map((page) => `${path}/messages${page}`)].map((one) => who.request('GET', one)),
  )
  return statuses.map(({ status }) => status)
}
const all = (status: number) => [status, status, status, status, status]

test('an open conversation is read by everybody, whoever has it', async () => {
  const { id } = await given.conversation(t, ana)
  const bruno = await t.signIn('operator')
  for (const who of [ana, bruno, admin]) expect(await answersTo(who, id)).toEqual(all(200))
})

test('a completed one by its assignee and with the archive; to others it is not there', async () => {
  const { id } = await given.conversation(t, ana)
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não' })
  expect((await ana.request('POST', `/api/conversations/${id}/finalize`, {})).status).toBe(200)
  const stranger = await operatorWith(only('canViewArchivedConversations', false))
  const archivist = await operatorWith(only('canViewArchivedConversations', true))
  for (const who of [ana, archivist, admin]) expect(await answersTo(who, id)).toEqual(all(200))
  expect(await answersTo(stranger, id)).toEqual(all(404))
  const { body } = await archivist.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  expect(body.map(({ content }) => content)).toContain('pois não')
})

test('an empty page is empty, and only what is not there is not found', async () => {
  const { id } = await given.conversation(t, ana)
  const { body } = await ana.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  const last = body.at(-1)?.id ?? 0
  expect(await ana.request('GET', `/api/conversations/${id}/messages?after=${last}`)).toMatchObject({
    status: 200,
    body: [],
  })
  expect(await answersTo(admin, 999_999)).toEqual(all(404))
})

const arrives = (event: Parameters<typeof handleGatewayEvent>[2]) =>
  inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event))
const openOf = async ({ phone }: Person, who = ana): Promise<Conversation> => {
  const { body } = await who.request<Conversation[]>('GET', '/api/conversations')
  return body.find(({ contact }) => contact.phone === phone) as Conversation
}
/** A client who has written these, a minute after another. */
async function talk(...names: string[]) {
  const client = person()
  for (const [minute, name] of names.entries()) await arrives(client.writes(name, minute))
  const conversation = await openOf(client)
  return { client, id: conversation.id, messages: await messagesOf(conversation.id) }
}
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
const get = (id: number, who = ana) => who.get<Conversation>(`/api/conversations/${id}`)
const readsOf = (who = ana) => who.get<ConversationRead[]>('/api/conversations/reads')
const put = (id: number, lastMessageId: unknown, who = ana) =>
  who.request<ConversationRead>('PUT', `/api/conversations/${id}/read`, { lastMessageId })
const unread = async (id: number, who = ana) => {
  const [conversation, reads] = await Promise.all([get(id, who), readsOf(who)])
  return unreadOf(
    conversation,
    reads.find(({ conversationId }) => conversationId === id),
  )
}
const lastOf = (messages: Message[]) => messages.at(-1)?.id ?? 0

test('unread messages are counted for each person separately', async () => {
  const { client, id, messages } = await talk('um', 'dois', 'três')
  expect(await unread(id)).toBe(3)
  const { status, body } = await put(id, messages[1]?.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ conversationId: id, lastMessageId: messages[1]?.id, contactMessageCount: 2 })
  expect(await unread(id)).toBe(1)
  expect(await unread(id, bruno)).toBe(3)
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não' })
  await bruno.request('POST', `/api/conversations/${id}/view`, { action: 'enter' })
  await arrives(client.byPhone('pelo celular', 5))
  expect(await unread(id)).toBe(1)
})

test('what a person has read never moves back, and never beyond what has arrived', async () => {
  const { client, id, messages } = await talk('um', 'dois')
  const first = await put(id, 2_147_483_647)
  expect(first.body.contactMessageCount).toBe(2)
  expect((await put(id, messages[0]?.id)).body).toEqual(first.body)
  await arrives(client.writes('três', 3))
  expect(await unread(id)).toBe(1)
})

test('what a person has read has no part in what arrives late, whatever its place', async () => {
  const { client, id, messages } = await talk('um', 'dois')
  await put(id, lastOf(messages))
  await arrives(client.writes('atrasada', 0, { sentAt: new Date(client.base - 60_000) }))
  expect((await messagesOf(id)).map(({ content }) => content)).toEqual(['atrasada', 'um', 'dois'])
  expect(await unread(id)).toBe(1)
})

test('what a person has read is neither an act nor a change of the conversation', async () => {
  const { id, messages } = await talk('um')
  const before = await get(id)
  await put(id, lastOf(messages))
  await ana.request('DELETE', `/api/conversations/${id}/read`)
  expect(await get(id)).toEqual(before)
  const audited =
    await t.sql`select 1 from audit_logs where resource_type = 'conversation' and resource_id = ${String(id)}`
  expect(audited).toEqual([])
})

test('what a person has read counts right while messages arrive and two devices read at once', async () => {
  const { client, id } = await talk('antes')
  const answers: ConversationRead[] = []
  const writes = async () => {
    for (let n = 0; n < 25; n++) await arrives(client.writes(`rajada ${n}`, 1 + (n % 20)))
  }
  const reads = async () => {
    for (let n = 0; n < 40; n++) answers.push((await put(id, 2_147_483_647)).body)
  }
  await Promise.all([writes(), reads(), reads()])
  const all = await messagesOf(id)
  // Each answer counts what had come up to its message: no arrival is counted twice, and none is skipped.
  for (const { lastMessageId, contactMessageCount } of answers)
    expect(contactMessageCount).toBe(all.filter((message) => message.id <= lastMessageId).length)
  expect(new Set(answers.map(({ lastMessageId }) => lastMessageId)).size).toBeGreaterThan(5)
  const [read] = (await readsOf()).filter(({ conversationId }) => conversationId === id)
  expect(await unread(id)).toBe(all.filter((message) => message.id > (read?.lastMessageId ?? 0)).length)
  expect((await get(id)).contactMessageCount).toBe(26)
})

test('a mark as unread leaves the newest message of the contact unread', async () => {
  const { id, messages } = await talk('um', 'dois')
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não' })
  const { body: read } = await put(id, lastOf(await messagesOf(id)))
  const { status, body } = await ana.request<ConversationRead>('DELETE', `/api/conversations/${id}/read`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ lastMessageId: lastOf(messages) - 1, contactMessageCount: 1 })
  expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(read.updatedAt))
  expect(await unread(id)).toBe(1)
  await put(id, lastOf(await messagesOf(id)))
  expect(await unread(id)).toBe(0)
})

test('a mark as unread leaves more unread what was so', async () => {
  const { id, messages } = await talk('um', 'dois', 'três')
  await ana.request('DELETE', `/api/conversations/${id}/read`)
  expect(await unread(id)).toBe(3)
  await put(id, messages[0]?.id)
  await ana.request('DELETE', `/api/conversations/${id}/read`)
  expect(await unread(id)).toBe(2)
})

test('a reading is pushed to all devices of that person alone', async () => {
  const { id, messages } = await talk('um')
  const deviceOf = ({ token }: Client) => connectLive(t.app.url, { token })
  const [here, there, other] = await Promise.all([deviceOf(ana), deviceOf(ana), deviceOf(bruno)])
  const { body } = await put(id, lastOf(messages))
  for (const device of [here, there]) {
    const { data } = await device.heard('conversation_read', (frame) => frame.data.conversationId === id)
    expect(data).toEqual({ conversationId: id, read: body })
  }
  await arrives(person().writes('depois', 1))
  await other.heard('message_received')
  expect(other.frames.filter(({ type }) => type === 'conversation_read')).toEqual([])
  // Read already: nothing to report.
  const reported = here.frames.length
  await put(id, lastOf(messages))
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'oi' })
  await here.heard('new_message', (frame) => frame.data.conversationId === id)
  expect(here.frames.slice(reported).filter(({ type }) => type === 'conversation_read')).toEqual([])
  await Promise.all([here, there, other].map((device) => device.close()))
})

test('two conversations that become one leave nothing unread behind what was read', async () => {
  const client = person()
  await arrives(client.writes('pelo número', 1))
  const older = await openOf(client)
  await arrives(client.writes('pelo lid', 2, { address: 'lid' }))
  await arrives(client.writes('número de novo', 3))
  await arrives(client.writes('lid de novo', 4, { address: 'lid' }))
  // Ana has read all of the first one, Bruno all of the second.
  await put(older.id, lastOf(await messagesOf(older.id)))
  const { body: list } = await bruno.request<Conversation[]>('GET', '/api/conversations')
  const younger = list.find(({ contact, id }) => contact.phone === null && id > older.id)
  await put(younger?.id ?? 0, lastOf(await messagesOf(younger?.id ?? 0)), bruno)
  const tab = await connectLive(t.app.url, { token: ana.token })
  await arrives(client.writes('os dois', 5, { address: 'both' }))
  expect((await messagesOf(older.id)).map(({ content }) => content)).toEqual([
    'pelo número',
    'pelo lid',
    'número de novo',
    'lid de novo',
    'os dois',
  ])
  expect((await get(older.id)).contactMessageCount).toBe(5)
  // 'pelo lid' is the oldest that Ana has not read; of Bruno it is the very first.
  expect(await unread(older.id)).toBe(4)
  expect(await unread(older.id, bruno)).toBe(5)
  // The own reading of two messages may be pushed to the tab that opened just after it.
  await tab.heard(
    'conversation_read',
    ({ data }) => data.conversationId === older.id && data.read.contactMessageCount === 1,
  )
  await tab.close()
})

test('who may not see a conversation cannot read it, mark it, or learn of it', async () => {
  const { id, messages } = await talk('um')
  await put(id, lastOf(messages), bruno)
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  const missing = { status: 404, body: { code: 'conversations.not_found' } }
  expect(await put(id, 1, bruno)).toMatchObject(missing)
  expect(await bruno.request('DELETE', `/api/conversations/${id}/read`)).toMatchObject(missing)
  expect(await put(2_000_000_000, 1, bruno)).toMatchObject(missing)
  // It is over: not among what is open, and still there for the one who had it.
  expect((await readsOf(bruno)).map(({ conversationId }) => conversationId)).not.toContain(id)
  expect((await put(id, lastOf(messages))).status).toBe(200)
})

test.each([0, -1, 1.5, '7', null, 2_147_483_648])(
  'marking a conversation as read up to %j is refused',
  async (lastMessageId) => {
    const { id } = await talk('um')
    expect(await put(id, lastMessageId)).toMatchObject({ status: 400, body: { code: 'request.invalid' } })
  },
)
