import { expect, test } from 'vitest'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { flags } from '#shared/permissions.ts'
import { allCalls, allRows, validValues } from '#server/testing/calls.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const declared = await allRows()

const path = (id: number, rest = '') => `/api/conversations/${id}${rest}`
const open = async () => await given.conversation(t, chefe)
const assigned = async (who: Client) => {
  const { id } = await open()
  await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: who.userId })
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
  expect((await chefe.request('PATCH', path(id, '/priority'), { priority: 'high' })).status).toBe(200)
  expect(await leftSince(before)).toEqual([
    {
      action: 'conversation.priority',
      userId: chefe.userId,
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
  ['DELETE', () => `/api/users/${chefe.userId}`],
  ['POST', () => `/api/users/${chefe.userId}/toggle-block`],
])('a refused call of oneself, %s, leaves one row too', async (method, address) => {
  const before = await lastId()
  expect((await chefe.request(method, address())).status).toBe(403)
  expect(await leftSince(before)).toMatchObject([{ action: 'access.denied', userId: chefe.userId }])
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
  await Promise.all(['', '/messages', '/media'].map((rest) => chefe.request('GET', path(id, rest))))
  expect(await leftSince(before)).toMatchObject([{ action: 'conversation.read', userId: chefe.userId }])
})

test('what a person gives to colleagues or takes from them names who had it', async () => {
  const id = await assigned(bruno)
  const company = await chefe.request<CompanyOption>('POST', '/api/companies', { name: 'Loja' })
  expect(company.status).toBe(201)
  await chefe.request('POST', path(id, '/transfer'), { newOperatorId: chefe.userId })
  const [row] = await t.sql`select details from audit_logs
         where action = 'conversation.transfer' and resource_id = ${String(id)}`
  expect(row).toEqual({ details: { to: chefe.userId, from: bruno.userId } })
})
