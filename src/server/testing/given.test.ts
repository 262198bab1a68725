import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { given } from './given.ts'
import { newTalk } from './new-talk.ts'
import { forAllTests } from '#server/testing/for-all-tests.ts'
import { testApp, testPassword } from './test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

/** Ids, numbers, names and times, which no two of them have in common, as their kind. */
function blank(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => blank(one))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        // The gateway's milliseconds behind WhatsApp's second; a given message came from no gateway.
        .filter(([name]) => name !== 'postedMs')
        .map(([name, inner]) => [name, blank(inner, name)]),
    )
  const isOwn = /(^id|Id|name|folded|phone|value|jid|protocol|At|Since|token|hash|_id|_at)$/i.test(key)
  return isOwn && value !== null ? typeof value : value
}

async function shown({ id, contactId }: Conversation) {
  const get = async <Body>(path: string) => await ana.get<Body>(path)
  const list = await get<Conversation[]>('/api/conversations')
  return blank({
    conversation: await get(`/api/conversations/${id}`),
    listed: list.find((one) => one.id === id),
    messages: await get<Message[]>(`/api/conversations/${id}/messages`),
    contact: await get(`/api/contacts/${contactId}`),
    history: await get(`/api/contacts/${contactId}/conversations`),
    rows: await t.sql`select * from conversations where id = ${id}`,
    messageRows: await t.sql`select * from messages where conversation_id = ${id}`,
    identities: await t.sql`select * from contact_identities where contact_id = ${contactId} order by kind`,
    contactRow: await t.sql`select * from contacts where id = ${contactId}`,
    queue: await t.sql`select * from queue_pending_conversations where conversation_id = ${id}`,
  })
}

test('a given conversation is shown and stored as one that was received', async () => {
  const received = (await newTalk(t, ana)).conversation
  await t.settled()
  const expected = await shown(received)
  // It leaves the queue, so that both are the first in it.
  await ana.request('POST', `/api/conversations/${received.id}/finalize`, {})
  expect(await shown(await given.conversation(t, ana))).toEqual(expected)
})

test('a given person can be shown and has no conversation', async () => {
  const { contactId, name, phone } = await given.person(t.database)
  expect((await ana.request('GET', `/api/contacts/${contactId}`)).body).toMatchObject({ name, phone })
  expect((await ana.request('GET', `/api/contacts/${contactId}/conversations`)).body).toEqual([])
})

test('a person who is signed in by rows is like one who has logged in', async () => {
  const { body } = await t.request<{ token: string }>('POST', '/api/auth/login', {
    username: 'ana',
    password: testPassword,
  })
  const columnsOf = async () => t.sql`select * from sessions where user_id = ${ana.userId} order by id`
  const [inserted, loggedIn] = (await columnsOf()).map((row) => blank(row))
  expect(inserted).toEqual(loggedIn)
  const headers = { authorization: `Bearer ${body.token}` }
  const sessions = await t.request<object[]>('GET', '/api/profile/sessions', undefined, headers)
  expect(sessions.body).toHaveLength(2)
})
