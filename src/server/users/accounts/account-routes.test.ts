import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Role } from '#shared/permissions.ts'
import { forAllTests } from '#server/testing/for-all-tests.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { spread } from '#server/testing/nightly.ts'
import { given } from '#server/testing/given.ts'
import { type Client, requestTo, testApp, testPassword, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const anyName = () => `pessoa-${randomBytes(4).toString('hex')}`
const bodyOf = (username = anyName()) => ({
  username,
  email: `${username}@teste.example`,
  name: `Nome de ${username}`,
  password: testPassword,
  role: 'operator' as Role,
  isActive: true,
})
const accountOf = async (id: number) =>
  (await chefe.get<Account[]>('/api/users')).find((account) => account.id === id)
const logIn = (username: string, password = testPassword) =>
  t.request('POST', '/api/auth/login', { username, password })
const lastAudit = async (id: number) =>
  (
    await t.sql<{ action: string; details: Record<string, unknown>; personal: Record<string, unknown> }>`
      select l.action, l.details, p.values as personal
            from audit_logs l join audit_personal p on p.log_id = l.id
           where resource_type = 'user' and resource_id = ${String(id)} and action like 'user.%'
           order by l.id desc limit 1`
  )[0]
/** A conversation that the person has taken. */
async function takenBy(who: Client): Promise<number> {
  const conversation = await given.conversation(t, chefe)
  const path = `/api/conversations/${conversation.id}/assign-operator`
  expect((await chefe.request('PATCH', path, { operatorId: who.userId })).status).toBe(200)
  return conversation.id
}
const conversationOf = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)

test.each(['/api/users', '/api/users/operators'])(
  'accounts are listed by name, accents aside: %s',
  async (path) => {
    const family = anyName()
    for (const name of ['Zuleica', 'Ângela', 'Bruno', 'ana'])
      await chefe.request('POST', '/api/users', { ...bodyOf(), name: `${name} ${family}` })
    const { body } = await chefe.request<{ name: string }[]>('GET', path)
    const names = body.map(({ name }) => name).filter((name) => name.endsWith(family))
    expect(names.map((name) => name.split(' ')[0])).toEqual(['ana', 'Ângela', 'Bruno', 'Zuleica'])
  },
)

test('accounts are listed without a password, with their figures', async () => {
  const ana = await t.signIn('operator', `ana-${anyName()}`)
  const id = await takenBy(ana)
  const done = await takenBy(ana)
  await ana.request('POST', `/api/conversations/${done}/finalize`, {})
  const { body } = await chefe.request<Account[]>('GET', '/api/users')
  expect(await accountOf(ana.userId)).toMatchObject({
    activeConversations: 1,
    completedConversations: 1,
    isActive: true,
    isBlocked: false,
    isLoginLocked: false,
  })
  expect(JSON.stringify(body)).not.toMatch(/passwordHash|argon2|totpSecret/i)
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
})

test('accounts are listed with when somebody was last seen, whenever they signed in', async () => {
  const ana = await t.signIn('operator', `ana-${anyName()}`)
  await t.sql`update sessions set created_at = '2026-03-01T12:00Z', last_seen_at = '2026-03-04T12:00Z'
               where user_id = ${ana.userId}`
  expect(await accountOf(ana.userId)).toMatchObject({
    lastLoginAt: '2026-03-01T12:00:00.000Z',
    lastSeenAt: '2026-03-04T12:00:00.000Z',
  })
  const { body } = await chefe.request<Account>('POST', '/api/users', bodyOf())
  expect(body).toMatchObject({ lastLoginAt: null, lastSeenAt: null })
})

test('accounts are created, and can sign in', async () => {
  const body = bodyOf()
  const { status, body: made } = await chefe.request<Account>('POST', '/api/users', body)
  expect({ status, made }).toMatchObject({
    status: 201,
    made: { username: body.username, email: body.email, name: body.name, role: 'operator' },
  })
  expect((await logIn(body.username)).status).toBe(200)
  expect(await lastAudit(made.id)).toMatchObject({ action: 'user.create' })
  expect(JSON.stringify(await lastAudit(made.id))).not.toContain(testPassword)
})

test.each([
  ['username', 'Já existe um usuário com este username.'],
  ['email', 'Já existe um usuário com este email.'],
] as const)('accounts with a taken %s, in whatever case, are refused', async (field, message) => {
  const first = bodyOf()
  const { body: made } = await chefe.request<Account>('POST', '/api/users', first)
  const second = bodyOf()
  const taken = { ...second, [field]: first[field].toUpperCase() }
  expect(await chefe.request('POST', '/api/users', taken)).toMatchObject({ status: 409, body: { message } })
  const { body: other } = await chefe.request<Account>('POST', '/api/users', second)
  const change = { [field]: made[field].toUpperCase() }
  expect(await chefe.request('PUT', `/api/users/${other.id}`, change)).toMatchObject({
    status: 409,
    body: { message },
  })
})

test.each([
  [{ username: 'ab' }, 'Username deve ter pelo menos 3 caracteres'],
  [{ email: 'nada' }, 'Email inválido'],
  [{ name: ' ' }, 'Nome é obrigatório'],
  [{ password: '12345' }, 'Senha deve ter pelo menos 6 caracteres'],
  [{ name: 'a\u0000b' }, 'Nome: há um caractere inválido'],
])('accounts with %j are refused with a message', async (wrong, message) => {
  const answer = await chefe.request('POST', '/api/users', { ...bodyOf(), ...wrong })
  expect(answer.status).toBe(400)
  expect(Object.values(answer.body.fields ?? {})).toEqual([message])
})

test.each(['isBlocked', 'id', 'passwordHash', 'failedLoginAttempts', 'createdAt', 'role2'])(
  'accounts are never changed in their %s',
  async (key) => {
    const body = bodyOf()
    expect((await chefe.request('POST', '/api/users', { ...body, [key]: 1 })).status).toBe(400)
    const { body: made } = await chefe.request<Account>('POST', '/api/users', body)
    expect((await chefe.request('PUT', `/api/users/${made.id}`, { [key]: 1 })).status).toBe(400)
    expect(await accountOf(made.id)).toEqual(made)
  },
)

test('accounts that do not exist are not found', async () => {
  const { body: made } = await chefe.request<Account>('POST', '/api/users', bodyOf())
  expect((await chefe.request('DELETE', `/api/users/${made.id}`)).status).toBe(204)
  for (const id of [made.id, 2_000_000_000])
    for (const [method, path, body] of [
      ['PUT', `/api/users/${id}`, { name: 'Outro' }],
      ['DELETE', `/api/users/${id}`, undefined],
      ['POST', `/api/users/${id}/toggle-block`, undefined],
    ] as const)
      expect(await chefe.request(method, path, body)).toMatchObject({
        status: 404,
        body: { message: 'Usuário não encontrado.' },
      })
})

test('a change of the name is seen at once by the person, whose sessions go on', async () => {
  const ana = await t.signIn('operator')
  const tab = await connectLive(t.app.url, { token: ana.token })
  expect((await chefe.request('PUT', `/api/users/${ana.userId}`, { name: 'Ana Nova' })).status).toBe(200)
  await tab.heard('account_changed')
  expect(await ana.request('GET', '/api/auth/me')).toMatchObject({ body: { user: { name: 'Ana Nova' } } })
  expect(await lastAudit(ana.userId)).toMatchObject({
    action: 'user.update',
    details: { changes: {} },
    personal: { changes: { name: [expect.any(String), 'Ana Nova'] } },
  })
  await tab.close()
})

test.each<[string, object]>([
  ['the role', { role: 'supervisor' }],
  ['the password', { password: 'outra-senha-boa' }],
  ['isActive', { isActive: false }],
])('a change of %s ends sessions and sockets within a second', async (_what, change) => {
  const ana = await t.signIn('operator')
  const tab = await connectLive(t.app.url, { token: ana.token })
  expect((await chefe.request('PUT', `/api/users/${ana.userId}`, change)).status).toBe(200)
  expect((await tab.closed).code).toBe(4401)
  expect((await ana.request('GET', '/api/auth/me')).status).toBe(401)
})

test('a change of the role gives the permissions of the new role', async () => {
  const ana = await t.signIn('operator')
  await t.sql`
    insert into user_permissions (user_id, flags) values (${ana.userId}, '{"canViewDashboard": true}')`
  await chefe.request('PUT', `/api/users/${ana.userId}`, { role: 'supervisor' })
  expect(await t.sql`select 1 from user_permissions where user_id = ${ana.userId}`).toEqual([])
})

test('a change of one’s own password keeps the current session', async () => {
  const other = await t.signIn('admin', anyName())
  expect(
    (await other.request('PUT', `/api/users/${other.userId}`, { password: 'nova-senha-boa' })).status,
  ).toBe(200)
  expect((await other.request('GET', '/api/auth/me')).status).toBe(200)
  expect((await chefe.request('DELETE', `/api/users/${other.userId}`)).status).toBe(204)
})

test.each<[string, (id: number) => Promise<{ status: number }>]>([
  ['blocked', (id) => chefe.request('POST', `/api/users/${id}/toggle-block`)],
  ['deleted', (id) => chefe.request('DELETE', `/api/users/${id}`)],
  ['deactivated', (id) => chefe.request('PUT', `/api/users/${id}`, { isActive: false })],
])('an account that is %s leaves its conversations in the queue', async (_how, shut) => {
  const ana = await t.signIn('operator')
  const [open, done] = [await takenBy(ana), await takenBy(ana)]
  await ana.request('POST', `/api/conversations/${done}/finalize`, {})
  const tab = await connectLive(t.app.url, { token: ana.token })
  expect((await shut(ana.userId)).status).toBeLessThan(300)
  expect((await tab.closed).code).toBe(4401)
  expect(await conversationOf(open)).toMatchObject({
    assignedUserId: null,
    subStatus: 'FILA',
    status: 'waiting',
  })
  expect((await conversationOf(done)).assignedUserId).toBe(ana.userId)
  expect(await lastAudit(ana.userId)).toMatchObject({ details: { freed: 1 } })
  // Nothing can be given to them any more.
  const path = `/api/conversations/${open}/assign-operator`
  expect((await chefe.request('PATCH', path, { operatorId: ana.userId })).status).toBe(422)
})

test('an unblocked account may sign in again', async () => {
  const ana = await t.signIn('operator')
  const username = (await accountOf(ana.userId))?.username ?? ''
  const toggle = () => chefe.request<Account>('POST', `/api/users/${ana.userId}/toggle-block`)
  expect(await toggle()).toMatchObject({ body: { isBlocked: true } })
  expect((await logIn(username)).status).toBe(403)
  expect(await toggle()).toMatchObject({ body: { isBlocked: false } })
  expect((await logIn(username)).status).toBe(200)
})

test.each(['operator', 'admin'] as const)(
  'an %s locked by wrong passwords is unlocked and not blocked',
  async (role) => {
    const other = await t.signIn(role, anyName())
    const username = (await accountOf(other.userId))?.username ?? ''
    const tab = await connectLive(t.app.url, { token: other.token })
    for (let n = 0; n < 3; n++) await logIn(username, 'errada')
    expect((await logIn(username)).status).toBe(403)
    expect(await accountOf(other.userId)).toMatchObject({ isLoginLocked: true, isBlocked: false })
    await tab.heard('account_changed')
    const before = tab.frames.length
    const answer = await chefe.request<Account>('POST', `/api/users/${other.userId}/toggle-block`)
    expect(answer).toMatchObject({ body: { isLoginLocked: false, isBlocked: false } })
    expect((await logIn(username)).status).toBe(200)
    await tab.heard('account_changed', (frame) => tab.frames.indexOf(frame) >= before)
    await tab.close()
    await chefe.request('DELETE', `/api/users/${other.userId}`)
  },
)

test('an account that is blocked is assigned nothing in the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const ana = await t.signIn('operator')
    const conversation = await given.conversation(t, chefe)
    const path = `/api/conversations/${conversation.id}/assign-operator`
    await Promise.all([
      chefe.request('PATCH', path, { operatorId: ana.userId }),
      chefe.request('POST', `/api/users/${ana.userId}/toggle-block`),
    ])
    expect((await conversationOf(conversation.id)).assignedUserId).toBeNull()
  }
})

describe('an administrator', () => {
  test('an administrator cannot lock themselves out', async () => {
    const self = `/api/users/${chefe.userId}`
    for (const [method, path, body] of [
      ['DELETE', self, undefined],
      ['POST', `${self}/toggle-block`, undefined],
      ['PUT', self, { role: 'operator' }],
      ['PUT', self, { isActive: false }],
    ] as const)
      expect((await chefe.request(method, path, body)).status).toBe(403)
    expect(await accountOf(chefe.userId)).toMatchObject({ role: 'admin', isActive: true, isBlocked: false })
  })

  const ends: [string, (id: number) => ['PUT' | 'POST' | 'DELETE', string, object?]][] = [
    ['demote', (id) => ['PUT', `/api/users/${id}`, { role: 'operator' }]],
    ['deactivate', (id) => ['PUT', `/api/users/${id}`, { isActive: false }]],
    ['block', (id) => ['POST', `/api/users/${id}/toggle-block`]],
    ['delete', (id) => ['DELETE', `/api/users/${id}`]],
  ]
  test.each(spread(ends, 1))(
    'one administrator remains when two %s each other at once',
    async (_what, act) => {
      const own = await testApp({}, withoutJobs)
      const other = await own.startAnother()
      try {
        for (let round = 0; round < 5; round++) {
          await own.sql`delete from user_permissions`
          await own.sql`update users set role = 'operator' where role = 'admin'`
          const pair = [await own.signIn('admin'), await own.signIn('admin')] as const
          const send = (url: string, { token }: Client, [method, path, body]: ReturnType<typeof act>) =>
            requestTo(url, method, path, body, { authorization: `Bearer ${token}` })
          const answers = await Promise.all([
            send(own.app.url, pair[0], act(pair[1].userId)),
            send(other.url, pair[1], act(pair[0].userId)),
          ])
          expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
          const left = await own.sql`select 1 from users where role = 'admin' and is_active and not is_blocked
               and deleted_at is null`
          expect(left).toHaveLength(1)
        }
      } finally {
        await other.stop()
        await own.close()
      }
    },
  )
})

test('a common password of an administrator is refused unless PASSWORD_STRICT is off', async () => {
  const common = { ...bodyOf(), password: 'flamengo10' }
  const refused = { status: 422, body: { code: 'users.common_password' } }
  expect(await chefe.request('POST', '/api/users', { ...common, role: 'admin' })).toMatchObject(refused)
  const { status, body } = await chefe.request<Account>('POST', '/api/users', common)
  expect(status).toBe(201)
  const path = `/api/users/${body.id}`
  expect((await chefe.request('PUT', path, { password: 'flamengo11' })).status).toBe(200)
  expect(await chefe.request('PUT', path, { password: 'flamengo12', role: 'admin' })).toMatchObject(refused)
  expect((await chefe.request('PUT', path, { role: 'admin' })).status).toBe(200)
  expect(await chefe.request('PUT', path, { password: 'flamengo12' })).toMatchObject(refused)
  expect(await chefe.request('PUT', '/api/profile', { password: 'flamengo12' })).toMatchObject(refused)
  const rating = await chefe.request('POST', '/api/profile/password-strength', { password: 'flamengo12' })
  expect(rating.body).toMatchObject({ isRefused: true })
  expect((await chefe.request('DELETE', path)).status).toBe(204)
  const off = await testApp({ PASSWORD_STRICT: 'off' }, withoutJobs)
  const admin = await off.signIn('admin')
  const answer = await admin.request('POST', '/api/users', { ...bodyOf(), ...common, role: 'admin' })
  expect(answer.status).toBe(201)
  await off.close()
})

test('with PASSWORD_STRICT a common password is refused', async () => {
  const strict = await testApp({ PASSWORD_STRICT: 'on' }, withoutJobs)
  const admin = await strict.signIn('admin')
  const answer = await admin.request('POST', '/api/users', { ...bodyOf(), password: '123456' })
  expect(answer).toMatchObject({ status: 422, body: { code: 'users.common_password' } })
  await strict.close()
})
