import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type Flags, flags } from '#shared/permissions.ts'
import permissionTable from '#shared/permissions.json' with { type: 'json' }
import { allCalls, allRows, validValues } from '#server/testing/calls.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'
import { userPermissions } from '#server/schema/users.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const declared = await allRows()

const path = (id: number, rest = '') => `/api/conversations/${id}${rest}`
const open = async () => await given.conversation(t, admin)
const assigned = async (who: Client) => {
  const { id } = await open()
  await admin.request('PATCH', path(id, '/assign-operator'), { operatorId: who.userId })
  return id
}
const finished = async () => {
  const id = await assigned(bruno)
  await bruno.request('POST', path(id, '/finalize'), {})
  return id
}

interface Left extends Record<string, unknown> {
  action: string
  userId: number | null
  outcome: string
  address: string | null
  device: string | null
}
const lastId = async () =>
  (await t.sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_logs`)[0]?.id ?? 0
const leftSince = (id: number) =>
  t.sql<Left>`select l.action, l.user_id as "userId", l.outcome, p.values ->> 'address' as address,
               p.values ->> 'device' as device
          from audit_logs l left join audit_personal p on p.log_id = l.id
         where l.id > ${id} and l.origin is distinct from 'system' order by l.id`

// The permission matrix compares what each permitted call leaves with the action that it declares.
test('a successful call leaves a row with its person, their address and device', async () => {
  const { id } = await open()
  const before = await lastId()
  expect((await admin.request('PATCH', path(id, '/priority'), { priority: 'high' })).status).toBe(200)
  expect(await leftSince(before)).toEqual([
    {
      action: 'conversation.priority',
      userId: admin.userId,
      outcome: 'done',
      address: '127.0.0.1',
      device: 'node',
    },
  ])
})

const refusesNobody = new Set(['GET /api/system-settings', 'GET /api/user-permissions'])
/** Tested apart: what it takes depends on the conversation, which is not found by whoever may see none. */
const deletion = 'DELETE /api/conversations/:id'

test('a refused call leaves one row, of whatever area it is', async () => {
  const nobody = await t.signIn('operator')
  const off = Object.fromEntries(flags.map((flag) => [flag, false]))
  await t.sql`insert into user_permissions (user_id, flags)
         values (${nobody.userId}, ${JSON.stringify(off)}::jsonb)`
  let refused = 0
  for (const call of await allCalls()) {
    const guarded = declared.some(({ id, flags: asked }) => id in call.rows && asked.length > 0)
    const name = `${call.method} ${call.path}`
    if (!guarded || refusesNobody.has(name) || name === deletion) continue
    const valid = (schema: typeof call.body) =>
      (schema ? validValues(schema, 1, 20, [t.simulator.url])[0] : {}) as Record<string, string>
    const params = valid(call.params)
    const address = call.path.replace(/:(\w+)/g, (_all, key: string) => params[key] ?? '1')
    const query = new URLSearchParams(valid(call.query))
    const before = await lastId()
    const answer = await nobody.request(
      call.method,
      `${address}?${query.toString()}`,
      call.body && valid(call.body),
    )
    expect([name, answer.status]).toEqual([name, 403])
    const left = await leftSince(before)
    expect([name, left]).toEqual([
      name,
      [
        {
          action: 'access.denied',
          userId: nobody.userId,
          outcome: 'refused',
          address: '127.0.0.1',
          device: 'node',
        },
      ],
    ])
    refused++
  }
  expect(refused).toBeGreaterThan(50)
})

test('a refused call that is repeated is counted in its row', async () => {
  const ana = await t.signIn('operator')
  const before = await lastId()
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 10 }, () => ana.request('GET', '/api/users')))
  expect(await leftSince(before)).toHaveLength(1)
  const [row] = await t.sql`
      select repeats, details from audit_logs where user_id = ${ana.userId} and action = 'access.denied'`
  expect(row).toEqual({ repeats: 50, details: { call: 'GET /api/users', reason: 'auth.forbidden' } })
})

test('a refused call whose permission depends on the conversation leaves one row too', async () => {
  const id = await finished()
  const before = await lastId()
  expect((await bruno.request('DELETE', path(id))).status).toBe(403)
  expect(await leftSince(before)).toMatchObject([{ action: 'access.denied', userId: bruno.userId }])
})

test.each([
  ['DELETE', () => `/api/users/${admin.userId}`],
  ['POST', () => `/api/users/${admin.userId}/toggle-block`],
])('a refused call of oneself, %s, leaves one row too', async (method, address) => {
  const before = await lastId()
  expect((await admin.request(method, address())).status).toBe(403)
  expect(await leftSince(before)).toMatchObject([{ action: 'access.denied', userId: admin.userId }])
})

test('reading an own finished conversation, or an open one, leaves nothing', async () => {
  const own = await finished()
  const other = (await open()).id
  const before = await lastId()
  expect((await bruno.request<Conversation>('GET', path(own))).status).toBe(200)
  expect((await bruno.request('GET', path(own, '/messages'))).status).toBe(200)
  expect((await bruno.request('GET', path(other))).status).toBe(200)
  expect((await bruno.request('GET', path(other, '/messages'))).status).toBe(200)
  expect(await leftSince(before)).toEqual([])
})

test('opening somebody else’s finished conversation is one row, however many calls it takes', async () => {
  const id = await finished()
  const before = await lastId()
  await Promise.all(['', '/messages', '/media'].map((rest) => admin.request('GET', path(id, rest))))
  expect(await leftSince(before)).toMatchObject([{ action: 'conversation.read', userId: admin.userId }])
})

test('what a person gives to colleagues or takes from them names who had it', async () => {
  const id = await assigned(bruno)
  const company = await admin.request<CompanyOption>('POST', '/api/companies', { name: 'Loja' })
  expect(company.status).toBe(201)
  await admin.request('POST', path(id, '/transfer'), { newOperatorId: admin.userId })
  const [row] = await t.sql`select details from audit_logs
         where action = 'conversation.transfer' and resource_id = ${String(id)}`
  expect(row).toEqual({ details: { to: admin.userId, from: bruno.userId } })
})

// A body costs nothing before its sender is known, and no more than its call needs afterwards.

/** An operator from whom every flag was taken. */
const powerless = forAllTests(() => t.signIn('operator'))

beforeAll(async () => {
  const allOff = Object.fromEntries(flags.map((flag) => [flag, false])) as Flags
  await t.database.insert(userPermissions).values({ userId: powerless.userId, flags: allOff })
})

const written = (await allCalls()).filter(({ method }) => method !== 'GET')
const publicCalls = new Set([
  'POST /api/auth/login',
  'POST /api/invitations/open',
  'POST /api/invitations/accept',
])
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const cases = written.map((call) => [nameOf(call), call] as const)
const [shortBytes, longBytes] = [16_384, 1_048_576]

/** Announces a body of which only the first part comes. @returns the answer */
async function announce(
  { method, path }: { method: string; path: string },
  length: number,
  { token, part = '{' }: { token?: string; part?: string } = {},
): Promise<{ status: number; isClosed: boolean }> {
  const call = request(t.app.url, {
    method,
    path: path.replaceAll(/:\w+/g, '1'),
    headers: {
      'content-type': 'application/json',
      'content-length': length,
      ...(token && { authorization: `Bearer ${token}` }),
    },
  })
  call.write(part)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  call.on('error', () => undefined).destroy()
  return { status: answer.statusCode ?? 0, isClosed: answer.headers.connection === 'close' }
}

test('there are calls to try', () => expect(cases.length).toBeGreaterThan(30))

test.each(cases)('%s waits for nothing from a stranger', async (name, call) => {
  if (publicCalls.has(name)) {
    expect(await announce(call, shortBytes + 1)).toMatchObject({ status: 413 })
    return
  }
  // As long as it likes.
  for (const length of [100, longBytes]) expect((await announce(call, length)).status).toBe(401)
  expect(await announce(call, longBytes + 1)).toEqual({ status: 401, isClosed: !call.takesFile })
})

test.each(cases)('%s waits for nothing from a person who may not make it', async (_name, call) => {
  const isForAll = permissionTable.endpoints.some(
    ({ id, ceiling, flags: asked }) => id in call.rows && asked.length === 0 && ceiling.includes('operator'),
  )
  if (isForAll) return
  expect(await announce(call, 100, { token: powerless.token })).toMatchObject({ status: 403 })
})

test.each(cases)('%s waits for none that is too long', async (name, call) => {
  const limit = call.body && !publicCalls.has(name) ? longBytes : shortBytes
  expect((await announce(call, limit + 1, { token: admin.token })).status).toBe(413)
})

test('nothing is waited for at an address that we do not have', async () => {
  for (const path of ['/api/nothing', '/nothing', '/api/contacts/1/2/3'])
    for (const token of [undefined, admin.token])
      expect(await announce({ method: 'POST', path }, longBytes, { ...(token && { token }) })).toMatchObject({
        status: 404,
      })
})

test('an answered request is forgotten when its connection closes, with its body unread', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
  const before = timers()
  for (let n = 0; n < 60; n++)
    await announce({ method: 'POST', path: '/api/webhook/evolution' }, 90_000_000 + n)
  await expect.poll(() => timers()).toBeLessThan(before + 30)
})

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('a body of an administrator that nests too deep in %s is not even parsed', async (_name, open, close) => {
  const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
  const { status, body } = await admin.request('POST', '/api/companies', deep)
  // A parsed body would be answered with its faulty fields.
  expect({ status, body }).toEqual({
    status: 400,
    body: { code: 'request.invalid', message: 'Dados inválidos' },
  })
})

test('who loses the session while the body is under way is refused at its end', async () => {
  const other = await t.signIn('admin')
  const body = JSON.stringify({ name: 'Tarde demais' })
  const call = request(t.app.url, {
    method: 'POST',
    path: '/api/companies',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      authorization: `Bearer ${other.token}`,
    },
  })
  call.write(body.slice(0, 5))
  await new Promise((resolve) => setTimeout(resolve, 700))
  await other.request('POST', '/api/auth/logout')
  call.end(body.slice(5))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(401)
  expect(await t.sql`select 1 from companies where name = 'Tarde demais'`).toEqual([])
})
