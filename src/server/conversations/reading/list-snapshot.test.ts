import { isDeepStrictEqual } from 'node:util'
import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listConversations } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import { listOrders, listTabs } from '#shared/conversations/list/list-view.ts'
import type { Flags } from '#shared/permissions.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { userPermissions } from '#server/schema/users.ts'
import {
  type Client,
  eventually,
  forAllTests,
  testApp,
  testDatabase,
  testNumber,
} from '#server/testing/test-app.ts'
import { type Watch, watchStatements } from '#server/testing/database/statements.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { createListSnapshot } from './list-snapshot.ts'
import { countOpen, listOpenRows } from './test-list.ts'
import { type Person, person } from '#server/testing/test-person.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import { someone } from '#server/testing/plain-who.ts'

let watch: Watch
const list = '/api/conversations'

beforeAll(() => void (watch = watchStatements()))
afterAll(() => watch.stop())
const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('admin', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

const get = (path: string, headers: Record<string, string> = {}, method = 'GET', url = t.app.url) =>
  fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${ana.token}`, ...headers } })
const etagOf = async (path = list, url = t.app.url) =>
  (await get(path, {}, 'GET', url)).headers.get('etag') ?? ''
const statusWith = async (etag: string, path = list, url = t.app.url) =>
  (await get(path, { 'if-none-match': etag }, 'GET', url)).status
const happens = (event: ReturnType<Person['writes']>) =>
  inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event))

async function talk() {
  const one = person()
  await happens(one.writes('oi', 20))
  const open = await ana.get<Conversation[]>(list)
  const conversation = open.find((row) => row.contact.phone === one.phone)
  if (!conversation) throw new Error('not in the list')
  return { one, id: conversation.id, contactId: conversation.contactId }
}

/** The queries of the list's tables for one request. */
async function statementsOf(path: string, etag: string): Promise<string[]> {
  await statusWith(etag, path)
  const texts = (await watch.ofRequest(`GET ${path}`)).map(({ text }) => text)
  expect(texts.some((text) => text.includes('"sessions"'))).toBe(true)
  return texts.filter((text) => /"conversations"|from conversations/.test(text))
}

test('an unchanged list is answered with 304 to every form of its tag', async () => {
  await talk()
  const etag = await etagOf()
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
  const strong = etag.slice(2)
  for (const asked of [etag, strong, `"x", ${etag}`, `W/"y" , ${strong},"z"`, '*'])
    expect(await statusWith(asked)).toBe(304)
  for (const asked of ['"x"', '', strong.slice(1, -1), `${strong.slice(0, -2)}"`])
    expect(await statusWith(asked)).toBe(200)
  const nothing = await get(list, { 'if-none-match': etag })
  expect(await nothing.text()).toBe('')
  expect(nothing.headers.get('etag')).toBe(etag)
  expect(nothing.headers.get('cache-control')).toBe('no-store')
})

test('an unchanged list costs no look at its tables, whole, by page and by search', async () => {
  await talk()
  const paths = [list, `${list}?page=1&limit=5`, `${list}?page=1&limit=100&search=Maria`]
  const tags = await Promise.all(paths.map((path) => etagOf(path)))
  for (const [at, path] of paths.entries()) {
    expect(await statusWith(tags[at] ?? '', path)).toBe(304)
    expect(await statementsOf(path, tags[at] ?? '')).toEqual([])
  }
  await happens((await talk()).one.writes('e agora?', 21))
  expect((await statementsOf(list, tags[0] ?? '')).length).toBeGreaterThan(0)
})

test('an unchanged list stays so while people read and write drafts, which are theirs alone', async () => {
  const { id } = await talk()
  const etag = await etagOf()
  await bia.request('PUT', `/api/conversations/${id}/draft`, { content: 'um momento', quotedMessageId: null })
  await bia.request('PUT', `/api/conversations/${id}/read`, { lastMessageId: 2_000_000_000 })
  expect(await statusWith(etag)).toBe(304)
  expect(await statementsOf(list, etag)).toEqual([])
})

test('an unchanged list is compressed for who can read that, and for nobody else', async () => {
  await talk()
  const ask = async (accepted: string) => {
    const answer = await get(list, { 'accept-encoding': accepted })
    return [answer.headers.get('content-encoding'), answer.headers.get('etag'), await answer.text()]
  }
  const [, etag, text] = await ask('identity')
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
  ] as const)
    expect(await ask(accepted)).toEqual([encoding, etag, text])
})

test('an unchanged list has a head without a body and with the same tag', async () => {
  const etag = await etagOf()
  const head = await get(list, {}, 'HEAD')
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  expect((await get(list, { 'if-none-match': etag }, 'HEAD')).status).toBe(304)
})

test('an unchanged list has the bytes that the contract makes of the rows, whole and by page', async () => {
  const talks = await Promise.all(Array.from({ length: 6 }, talk))
  for (const [at, { userId: operatorId }] of [ana, bia, ana].entries())
    await ana.request('PATCH', `${list}/${talks[at]?.id}/assign-operator`, { operatorId })
  await ana.request('POST', `${list}/${talks[0]?.id}/messages`, { content: 'um momento' })
  await t.settled()
  const rows = (await listOpenRows(t.database)).map(toConversation)
  const bytes = (value: unknown) =>
    JSON.stringify(listConversations.reply && z.encode(listConversations.reply, value as never))
  expect(await (await get(list)).text()).toBe(bytes(rows))
  // Of what has returned from hold only their own comes first.
  const setReturned = (at: SQL) =>
    inTransaction(t.database, async (db) => {
      for (const { id } of talks.slice(1, 3)) {
        await db.execute(sql`update conversations set returned_at = ${at} where id = ${id}`)
        db.emit({ type: 'conversation_updated', conversationId: id })
      }
    })
  await setReturned(sql`app_now()`)
  for (const [page, limit, search] of [
    [1, 5, ''],
    [2, 4, ''],
    [99, 5, ''],
    [1, 3, 'maria'],
    [1, 5, '55119000000'],
  ] as const)
    for (const tab of listTabs)
      for (const order of listOrders) {
        const view = { search, tab, order, who: { ...someone, id: ana.userId } }
        const found = (await listOpenRows(t.database, { ...view, limit, offset: (page - 1) * limit })).map(
          toConversation,
        )
        const totalItems = await countOpen(t.database, view)
        const totalPages = Math.max(1, Math.ceil(totalItems / limit))
        const pagination = {
          currentPage: page,
          itemsPerPage: limit,
          totalItems,
          totalPages,
          hasNextPage: page < totalPages,
        }
        const answer = await get(
          `${list}?page=${page}&limit=${limit}&search=${search}&tab=${tab}&order=${order}`,
        )
        expect(await answer.text()).toBe(bytes({ conversations: found, pagination }))
      }
  await setReturned(sql`null`)
  for (const wrong of ['tab=others', 'order=name'])
    expect((await get(`${list}?page=1&${wrong}`)).status).toBe(400)
})

test('the list is hidden from whoever may not see it, whatever their tag', async () => {
  const etag = await etagOf()
  const ask = () => fetch(`${t.app.url}${list}`, { headers: headersOf(bia, etag) })
  expect((await ask()).status).toBe(304)
  const flags = { ...(await flagsOf(bia)), canViewConversations: false }
  await t.database.insert(userPermissions).values({ userId: bia.userId, flags })
  expect((await ask()).status).toBe(403)
  await t.database.delete(userPermissions).where(eq(userPermissions.userId, bia.userId))
  expect((await ask()).status).toBe(304)
  await bia.request('POST', '/api/auth/logout')
  const refused = await ask()
  expect([refused.status, refused.headers.get('etag')]).toEqual([401, null])
  Object.assign(bia, await t.signIn('operator', 'bia2'))
})

const headersOf = (client: Client, etag: string) => ({
  authorization: `Bearer ${client.token}`,
  'if-none-match': etag,
})
const flagsOf = async (client: Client) =>
  (await client.get<{ user: { permissions: Flags } }>('/api/auth/me')).user.permissions

/** Retries, since ticks may arrive between the two reads. */
async function expectSameAsTables() {
  await eventually(
    async () => ({
      answered: (await ana.request('GET', list)).body,
      stored: (await listOpenRows(t.database)).map(toConversation),
    }),
    ({ answered, stored }) => isDeepStrictEqual(answered, stored),
  )
}

const replies = (id: number) =>
  ana.request<{ id: number }>('POST', `${list}/${id}/messages`, { content: 'um momento' })
const byApi: [string, (id: number) => Promise<unknown>][] = [
  ['an answer', replies],
  ['being taken', (id) => ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: ana.userId })],
  [
    'being given to somebody',
    (id) => ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: bia.userId }),
  ],
  [
    'going back to the queue',
    async (id) => {
      await ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: bia.userId })
      return ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: null })
    },
  ],
  ['a transfer', (id) => ana.request('POST', `${list}/${id}/transfer`, { newOperatorId: bia.userId })],
  ['being finalized', (id) => ana.request('POST', `${list}/${id}/finalize`, {})],
]
test.each(byApi)('the next answer of the list contains the change by %s', async (_, act) => {
  const { id } = await talk()
  const paths = [list, `${list}?page=1&limit=50`, `${list}?page=1&limit=100&search=Maria`]
  const tags = await Promise.all(paths.map((path) => etagOf(path)))
  await act(id)
  for (const [at, path] of paths.entries()) expect(await statusWith(tags[at] ?? '', path)).toBe(200)
  await expectSameAsTables()
})

type Happening = (one: Person) => ReturnType<Person['writes']>
const byGateway: [string, Happening, Happening?][] = [
  ['a message', (one) => one.writes('mais', 22)],
  ['a message of the connected phone', (one) => one.byPhone('do celular', 23)],
  ['an edit of the last message', (one) => one.edit('oi', 22, 'olá')],
  ['a reaction to the last message', (one) => one.react('oi', 22, '👍')],
  ['a call', (one) => one.calls('chamada', 24, 'missed')],
  ['a new name of the client', (one) => one.writes('sou eu', 25, { name: 'Maria de Souza' })],
  [
    'a tick at the last message',
    (one) => one.ack('do celular', 'read'),
    (one) => one.byPhone('do celular', 21),
  ],
]
test.each(byGateway)('the next answer of the list contains the change by %s', async (_, event, before) => {
  const { one } = await talk()
  if (before) await happens(before(one))
  const etag = await etagOf()
  await happens(event(one))
  expect(await statusWith(etag)).toBe(200)
  await expectSameAsTables()
})

test('two instances say the same tag, and each hears of what the other wrote', async () => {
  const other = await t.startAnother()
  const { id } = await talk()
  await eventually(
    async () => [await etagOf(), await etagOf(list, other.url)],
    ([here, there]) => here === there,
  )
  const etag = await etagOf()
  await ana.request('PATCH', `${list}/${id}/assign-operator`, { operatorId: ana.userId })
  await eventually(() => statusWith(etag, list, other.url), 200, 1500)
  await other.stop()
})

test('a change whose notice was lost is seen within a second by the log', async () => {
  const { database, openAgain, close } = await testDatabase()
  const instanceId = await testNumber(database)
  const snapshot = createListSnapshot(openAgain())
  await inTransaction(database, (db) => handleGatewayEvent(db, instanceId, person().writes('oi', 20)))
  const isBlocked = async () =>
    JSON.parse((await snapshot.whole({ who: someone, filters: {} })).bytes.toString())[0]?.contact
      .isBlocked as unknown
  await eventually(isBlocked, false)
  // As a process leaves it that dies between its commit and the NOTIFY. Several times, since the NOTIFY of
  // the message above may reveal the first change.
  for (const isNow of [true, false, true]) {
    await database.execute(
      sql`with changed as (update contacts set is_blocked = ${isNow})
          insert into events (type, conversation_id) select 'conversation_updated', id from conversations`,
    )
    await eventually(isBlocked, isNow, 3000)
  }
  snapshot.stop()
  await close()
})

test('a name is found without its accents, in any case', async () => {
  const { id, contactId } = await talk()
  await t.sql`with renamed as (update contacts set name = 'Íris São Luís' where id = ${contactId})
        insert into events (type, conversation_id) values ('conversation_updated', ${id})`
  const found = async (search: string) =>
    (
      await ana.request<ConversationPage>(
        'GET',
        `${list}?page=1&limit=10&search=${encodeURIComponent(search)}`,
      )
    ).body.conversations.map((row) => row.id)
  await eventually(
    () => found('iris'),
    (ids) => isDeepStrictEqual(ids, [id]),
  )
  for (const search of ['ÍRIS', 'sao luis', 'São']) expect(await found(search)).toEqual([id])
  expect(await found('isis')).toEqual([])
})
