import { sql } from 'drizzle-orm'
import { TOTP, Secret } from 'otpauth'
import { beforeAll, expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { SecondFactor, Session } from '#shared/users/profile.ts'
import type { Me } from '#shared/users/users.ts'
import { ensureFirstAdmin } from '#server/users/users.ts'
import { confirm } from '#server/testing/past.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import {
  type Client,
  forAllTests,
  refusal,
  testApp,
  testPassword,
  withoutJobs,
} from '#server/testing/test-app.ts'

let chefe: Client

const t = forAllTests(() => testApp({ TRUST_PROXY: '127.0.0.1' }, withoutJobs))
const from = (n: number) => ({ 'x-forwarded-for': `10.9.0.${n}` })
const clock = forAllTests(() => movableClock(t.database))

beforeAll(async () => {
  await nextMinute()
  chefe = await t.signIn('admin', 'chefe')
})

let lastMinute = 0
/** A time that no code was used at, since each is good once. */
async function nextMinute(): Promise<Date> {
  lastMinute += 1
  const now = new Date(Date.parse('2027-03-09T10:00:00-03:00') + lastMinute * 60_000)
  await clock.set(now)
  return now
}
const seconds = (at: Date, n: number) => new Date(at.getTime() + n * 1000)
const minutesPass = async (count: number) => {
  for (let n = 0; n < count; n++) await nextMinute()
}

const totp = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) })
const codeAt = (secret: string, at: Date) => totp(secret).generate({ timestamp: at.getTime() })

interface Enrolled {
  client: Client
  username: string
  secret: string
  recoveryCodes: string[]
}

async function enrolled(role: 'operator' | 'admin' = 'operator'): Promise<Enrolled> {
  const now = await nextMinute()
  const client = await t.signIn(role)
  const me = await client.get<{ user: Me }>('/api/auth/me')
  const begun = (
    await client.request<{ secret: string; address: string }>('POST', '/api/profile/second-factor')
  ).body
  expect(begun.address).toContain(`otpauth://totp/Balc%C3%A3o:${me.user.username}?`)
  const confirmed = await client.request<{ recoveryCodes: string[] }>('PUT', '/api/profile/second-factor', {
    code: codeAt(begun.secret, now),
  })
  expect(confirmed.status).toBe(200)
  return {
    client,
    username: me.user.username,
    secret: begun.secret,
    recoveryCodes: confirmed.body.recoveryCodes,
  }
}

const logIn = (username: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  t.request<{ token: string; user: Me; code?: string }>(
    'POST',
    '/api/auth/login',
    { username, password: testPassword, ...more },
    headers,
  )

test('the code of a secret that another tab replaces at this moment switches nothing on', async () => {
  const now = await nextMinute()
  const client = await t.signIn('operator')
  const begin = () => client.request<{ secret: string }>('POST', '/api/profile/second-factor')
  const confirmWith = (secret: string, at: Date) =>
    client.request('PUT', '/api/profile/second-factor', { code: codeAt(secret, at) })
  const { secret } = (await begin()).body
  const [begun, confirmed] = await inTurn(
    t.database,
    sql`select from users where id = ${client.userId} for update`,
    begin,
    () => confirmWith(secret, now),
  )
  if (begun.status === 'rejected') throw begun.reason
  expect(confirmed).toMatchObject({ value: refusal(422, 'auth.not_confirmed') })
  expect(await client.get<SecondFactor>('/api/profile/second-factor')).toMatchObject({ isOn: false })
  expect((await confirmWith(begun.value.body.secret, await nextMinute())).status).toBe(200)
})

test('the password alone is not enough, and costs no attempt', async () => {
  const { username, secret } = await enrolled()
  for (let n = 0; n < 5; n++)
    expect(await logIn(username)).toMatchObject({ status: 401, body: { code: 'auth.code_required' } })
  const now = await nextMinute()
  expect(await logIn(username, { code: codeAt(secret, now) })).toMatchObject({
    status: 200,
    body: { user: { username, hasSecondFactor: true, pending: null } },
  })
})

test('a wrong password is reported as before, whatever the code', async () => {
  const { username, secret } = await enrolled()
  const now = await nextMinute()
  expect(await logIn(username, { password: 'errada', code: codeAt(secret, now) })).toMatchObject(
    refusal(401, 'auth.invalid_credentials'),
  )
})

test('a code is good once, and clocks may differ by thirty seconds, not by ninety', async () => {
  const { username, secret } = await enrolled()
  const now = await nextMinute()
  expect((await logIn(username, { code: codeAt(secret, seconds(now, -30)) })).status).toBe(200)
  expect(await logIn(username, { code: codeAt(secret, seconds(now, -30)) })).toMatchObject(
    refusal(401, 'auth.wrong_code'),
  )
  expect((await logIn(username, { code: codeAt(secret, seconds(now, 30)) })).status).toBe(200)
  // An older one than the last is refused too.
  expect((await logIn(username, { code: codeAt(secret, now) })).status).toBe(401)
})

test('a code that is ninety seconds off is wrong', async () => {
  const { username, secret } = await enrolled()
  await minutesPass(3)
  const later = await nextMinute()
  for (const off of [-90, 90])
    expect((await logIn(username, { code: codeAt(secret, seconds(later, off)) })).status).toBe(401)
})

test('of the same code of a second factor sent twice at once one is let in', async () => {
  const { username, secret } = await enrolled()
  const code = codeAt(secret, await nextMinute())
  const statuses = (await Promise.all([logIn(username, { code }), logIn(username, { code })])).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
})

test('a recovery code, and one of the application, sent three times at once locks nobody', async () => {
  const { username, secret, recoveryCodes, client } = await enrolled()
  for (const code of [recoveryCodes[0], codeAt(secret, await nextMinute())]) {
    const answers = await Promise.all(Array.from({ length: 3 }, () => logIn(username, { code })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    expect((await client.get<{ user: Me }>('/api/auth/me')).user.isLoginLocked).toBe(false)
    for (let n = 0; n < 4; n++) expect((await logIn(username, { code })).status).toBe(401)
  }
  expect((await logIn(username, { code: recoveryCodes[1] })).status).toBe(200)
  // Not for ever: later it is a wrong code.
  for (let n = 0; n < 2; n++) await nextMinute()
  for (const status of [401, 401, 403])
    expect((await logIn(username, { code: recoveryCodes[1] })).status).toBe(status)
})

test('three wrong codes lock as three wrong passwords do', async () => {
  const { username, client } = await enrolled()
  for (const status of [401, 401, 403])
    expect((await logIn(username, { code: '000000' })).status).toBe(status)
  expect((await logIn(username)).status).toBe(403)
  expect((await client.request('GET', '/api/auth/me')).status).toBe(200)
})

test.each(['operator', 'admin'] as const)(
  'a locked %s is let in by password and code, of which ten wrong ones a day are heard',
  async (role) => {
    const { username, secret, recoveryCodes } = await enrolled(role)
    for (let n = 0; n < 3; n++) await logIn(username, { password: 'errada' })
    expect((await logIn(username)).status).toBe(403)
    const code = async () => codeAt(secret, await nextMinute())
    // A wrong password uses no code up.
    const one = await code()
    expect((await logIn(username, { password: 'errada', code: one })).status).toBe(403)
    expect((await logIn(username, { code: one })).status).toBe(200)
    expect((await logIn(username, { code: recoveryCodes[0] })).status).toBe(200)
    // For whoever has the password alone nothing changes.
    expect((await logIn(username)).status).toBe(403)
    // Strangers, who do not know the password, cannot use the codes up that are heard.
    for (let n = 0; n < 12; n++) await logIn(username, { password: 'errada', code: '000000' }, from(n))
    expect((await logIn(username, { code: await code() })).status).toBe(200)
    for (let n = 0; n < 10; n++)
      expect((await logIn(username, { code: '000000' }, from(20 + n))).status).toBe(403)
    expect((await logIn(username, { code: await code() }, from(40))).status).toBe(403)
  },
)

test('each recovery code replaces a code once, however it is typed', async () => {
  const { username, recoveryCodes, client } = await enrolled()
  expect(new Set(recoveryCodes).size).toBe(10)
  // Eighty bits: sixteen of 32 signs.
  for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const [first = '', second = ''] = recoveryCodes
  expect((await logIn(username, { code: first })).status).toBe(200)
  expect((await logIn(username, { code: first })).status).toBe(401)
  expect((await logIn(username, { code: ` ${second.toLowerCase().replaceAll('-', ' ')} ` })).status).toBe(200)
  const { body } = await client.request<SecondFactor>('GET', '/api/profile/second-factor')
  expect(body).toMatchObject({ isOn: true, recoveryCodesLeft: 8 })
})

test('new recovery codes end the old ones', async () => {
  const { username, recoveryCodes, client } = await enrolled()
  const { body } = await client.request<{ recoveryCodes: string[] }>('POST', '/api/profile/recovery-codes', {
    code: recoveryCodes[1],
  })
  expect((await logIn(username, { code: recoveryCodes[0] })).status).toBe(401)
  expect((await logIn(username, { code: body.recoveryCodes[0] })).status).toBe(200)
})

test('a trusted browser needs no code for thirty days, for this account alone', async () => {
  const { username, secret } = await enrolled()
  const other = await enrolled()
  const code = codeAt(secret, await nextMinute())
  const answer = await logIn(username, { code, trustDevice: true })
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('device=')) ?? ''
  expect(cookie).toMatch(/HttpOnly/i)
  expect(cookie).toContain('Max-Age=2592000')
  const trusted = { cookie: cookie.split(';')[0] ?? '' }
  const origin = { origin: t.app.url }
  expect((await logIn(username, {}, { ...trusted, ...origin })).status).toBe(200)
  expect((await logIn(other.username, {}, { ...trusted, ...origin })).status).toBe(401)
  await t.sql`update trusted_devices set created_at = created_at - interval '30 days 1 minute'`
  expect((await logIn(username, {}, { ...trusted, ...origin })).status).toBe(401)
})

test('no secret of the second factor is in an answer, the log or in clear', async () => {
  const { username, secret, recoveryCodes, client } = await enrolled('admin')
  const answers = [
    await client.request('GET', '/api/auth/me'),
    await client.request('GET', '/api/profile/second-factor'),
    await client.request('GET', '/api/users'),
  ].map(({ body }) => JSON.stringify(body))
  const stored = await t.sql<{ all: string }>`select string_agg(row::text, ' ') as "all" from (
          select u::text as row from users u union all select r::text from recovery_codes r
          union all select a::text from audit_logs a union all select s::text from sessions s) everything`
  for (const text of [...answers, stored[0]?.all ?? '']) {
    expect(text).not.toContain(secret)
    for (const code of recoveryCodes) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(code.replaceAll('-', ''))
    }
  }
  expect(answers[2]).toContain(username)
})

test('the second factor is switched on only by a right code, and off by its owner', async () => {
  const now = await nextMinute()
  const client = await t.signIn('operator')
  const { body } = await client.request<{ secret: string }>('POST', '/api/profile/second-factor')
  expect(await client.request('PUT', '/api/profile/second-factor', { code: '123456' })).toMatchObject(
    refusal(422, 'auth.not_confirmed'),
  )
  expect((await client.get<SecondFactor>('/api/profile/second-factor')).isOn).toBe(false)
  const code = codeAt(body.secret, now)
  expect((await client.request('PUT', '/api/profile/second-factor', { code })).status).toBe(200)
  expect((await client.request('POST', '/api/profile/second-factor')).status).toBe(409)
  expect((await client.request('PUT', '/api/profile/second-factor', { code })).status).toBe(409)
  const off = async () => {
    const later = { code: codeAt(body.secret, await nextMinute()) }
    return (await client.request('DELETE', '/api/profile/second-factor', later)).status
  }
  expect(await off()).toBe(204)
  expect(await off()).toBe(409)
})

test('the second factor is switched off, and its recovery codes renewed, by a code alone', async () => {
  const { client, secret, recoveryCodes } = await enrolled()
  await client.request('POST', '/api/auth/reauthenticate', { password: testPassword })
  const asked = [
    ['DELETE', '/api/profile/second-factor'],
    ['POST', '/api/profile/recovery-codes'],
  ] as const
  for (const [method, path] of asked) {
    expect((await client.request(method, path)).status).toBe(400)
    expect((await client.request(method, path, { password: testPassword })).status).toBe(400)
    for (const code of [testPassword, '000000', 'AAAA-AAAA'])
      expect(await client.request(method, path, { code })).toMatchObject(refusal(422, 'auth.not_confirmed'))
  }
  expect(await client.get<SecondFactor>('/api/profile/second-factor')).toMatchObject({
    isOn: true,
    recoveryCodesLeft: 10,
  })
  const [one = ''] = recoveryCodes
  const { body } = await client.request<{ recoveryCodes: string[] }>('POST', '/api/profile/recovery-codes', {
    code: codeAt(secret, await nextMinute()),
  })
  expect(body.recoveryCodes).toHaveLength(10)
  expect((await client.request('DELETE', '/api/profile/second-factor', { code: one })).status).toBe(422)
  const [first] = body.recoveryCodes
  expect((await client.request('DELETE', '/api/profile/second-factor', { code: first })).status).toBe(204)
  expect((await client.get<SecondFactor>('/api/profile/second-factor')).isOn).toBe(false)
})

test('of the codes that would switch a second factor off ten wrong ones a day are heard', async () => {
  const { client, secret } = await enrolled()
  const off = (code: string) => client.request('DELETE', '/api/profile/second-factor', { code })
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await off('000000')).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  expect((await off(codeAt(secret, await nextMinute()))).status).toBe(429)
})

test('an administrator does not reset their own second factor, which takes no code', async () => {
  const { client } = await enrolled('admin')
  expect(await client.request('DELETE', `/api/users/${client.userId}/second-factor`)).toMatchObject(
    refusal(409, 'second_factor.own'),
  )
  expect((await client.get<SecondFactor>('/api/profile/second-factor')).isOn).toBe(true)
})

test('a lost second factor is reset by an administrator, ending the sessions', async () => {
  const { client, username } = await enrolled()
  await minutesPass(11)
  expect(await chefe.request('DELETE', `/api/users/${client.userId}/second-factor`)).toMatchObject(
    refusal(403, 'auth.reauthenticate'),
  )
  await confirm(chefe)
  expect((await chefe.request('DELETE', `/api/users/${client.userId}/second-factor`)).status).toBe(204)
  expect((await client.request('GET', '/api/auth/me')).status).toBe(401)
  expect((await logIn(username)).status).toBe(200)
  const { body } = await chefe.request<Account[]>('GET', '/api/users')
  expect(body.find(({ id }) => id === client.userId)).toMatchObject({ hasSecondFactor: false })
})

test('a required second factor is asked for at the next sign-in', async () => {
  await confirm(chefe)
  const now = await nextMinute()
  const client = await t.signIn('supervisor')
  const me = await client.get<{ user: Me }>('/api/auth/me')
  await confirm(chefe)
  expect(
    (await chefe.request('PUT', '/api/second-factor-duties', { roles: ['supervisor', 'supervisor'] })).body,
  ).toEqual({ roles: ['supervisor'] })
  // The session that lives goes on.
  expect((await client.request('GET', '/api/conversations')).status).toBe(200)
  const { body } = await logIn(me.user.username)
  expect(body.user.pending).toBe('second_factor')
  const bearer = { authorization: `Bearer ${body.token}` }
  const ask = (method: string, path: string, sent?: unknown) =>
    t.request<{ secret: string }>(method, path, sent, bearer)
  expect(await ask('GET', '/api/conversations')).toMatchObject(refusal(403, 'auth.entry_pending'))
  const { body: begun } = await ask('POST', '/api/profile/second-factor')
  expect((await ask('PUT', '/api/profile/second-factor', { code: codeAt(begun.secret, now) })).status).toBe(
    200,
  )
  expect((await ask('GET', '/api/conversations')).status).toBe(200)
  const later = { code: codeAt(begun.secret, await nextMinute()) }
  expect(await ask('DELETE', '/api/profile/second-factor', later)).toMatchObject(
    refusal(409, 'second_factor.is_duty'),
  )
  await chefe.request('PUT', '/api/second-factor-duties', { roles: [] })
  expect((await ask('DELETE', '/api/profile/second-factor', later)).status).toBe(204)
})

test('administrators of a new installation need a second factor after seven days', async () => {
  const fresh = await testApp({}, withoutJobs)
  const time = await movableClock(fresh.database)
  await ensureFirstAdmin(fresh.database, { username: 'dona', email: undefined, password: testPassword })
  const pendingOf = async () => {
    const form = { username: 'dona', password: testPassword }
    return (await fresh.request<{ user: Me }>('POST', '/api/auth/login', form)).body.user.pending
  }
  const dayMs = 24 * 60 * 60_000
  expect(await pendingOf()).toBeNull()
  await time.forward(6 * dayMs)
  expect(await pendingOf()).toBeNull()
  const other = await fresh.signIn('admin')
  const duties = (roles: string[]) => other.request('PUT', '/api/second-factor-duties', { roles })
  expect(await other.get('/api/second-factor-duties')).toEqual({ roles: ['admin'] })
  // Another role has nothing to do with it.
  expect((await duties(['admin', 'supervisor'])).status).toBe(200)
  expect(await pendingOf()).toBeNull()
  await time.forward(2 * dayMs)
  expect(await pendingOf()).toBe('second_factor')
  // Of somebody who has fulfilled it.
  const late = await fresh.signIn('admin')
  await fresh.sql`update sessions set must_enroll = false where user_id = ${late.userId}`
  expect((await late.request('PUT', '/api/second-factor-duties', { roles: [] })).status).toBe(200)
  expect(await pendingOf()).toBeNull()
  await fresh.close()
})

test('the current password is asked for after ten minutes, and holds for ten', async () => {
  await nextMinute()
  const admin = await t.signIn('admin')
  const duties = () => admin.request('PUT', '/api/second-factor-duties', { roles: [] })
  expect((await duties()).status).toBe(200)
  await minutesPass(11)
  expect(await duties()).toMatchObject({ status: 403, body: { code: 'auth.reauthenticate' } })
  const confirm = (body: unknown) => admin.request('POST', '/api/auth/reauthenticate', body)
  expect(await confirm({ password: 'errada' })).toMatchObject(refusal(422, 'auth.not_confirmed'))
  expect((await confirm({})).status).toBe(400)
  expect((await duties()).status).toBe(403)
  expect((await confirm({ password: testPassword })).status).toBe(204)
  expect((await duties()).status).toBe(200)
})

test.each([
  ['POST', '/api/users', { username: 'x', email: 'x@teste.example', name: 'X', password: testPassword }],
  ['PUT', '/api/users/{id}', { role: 'supervisor' }],
  ['PUT', '/api/users/{id}', { password: 'outra-alface-roxa' }],
  ['PUT', '/api/users/{id}', { email: 'outro@teste.example' }],
  ['PUT', '/api/users/{id}', { isActive: true }],
  ['PUT', '/api/users/{id}', { numberIds: null }],
  ['DELETE', '/api/users/{id}', undefined],
  ['POST', '/api/users/{id}/toggle-block', undefined],
  ['DELETE', '/api/users/{id}/sessions', undefined],
  ['DELETE', '/api/profile/sessions', undefined],
  ['DELETE', '/api/profile/sessions/1', undefined],
  ['GET', '/api/contacts/export?format=csv', undefined],
  ['GET', '/api/audit-logs/export', undefined],
  ['GET', '/api/maintenance/download/1', undefined],
  ['HEAD', '/api/maintenance/download/1', undefined],
  ['POST', '/api/evolution-config/1/logout', undefined],
  ['GET', '/api/auth/confirmation', undefined],
  ['DELETE', '/api/users/{id}/second-factor', undefined],
  ['POST', '/api/user-permissions', { userId: 1, flags: {} }],
  ['PUT', '/api/user-permissions/{id}', {}],
  ['PUT', '/api/second-factor-duties', { roles: [] }],
  ['POST', '/api/profile/second-factor', undefined],
  ['DELETE', '/api/profile/second-factor', undefined],
  ['POST', '/api/profile/recovery-codes', undefined],
  [
    'POST',
    '/api/evolution-config',
    { instanceName: 'x', apiKey: 'uma-chave-qualquer', baseUrl: 'http://a.example' },
  ],
  ['PUT', '/api/evolution-config/1', { baseUrl: 'http://a.example' }],
  // Of a sector its people see everything.
  ['POST', '/api/sectors', { name: 'Vendas', color: '#2563eb', people: [{ userId: 1, isLead: false }] }],
  ['PATCH', '/api/sectors/1', { people: [{ userId: 1, isLead: false }] }],
])('the current password is asked for by %s %s', async (method, path, body) => {
  await nextMinute()
  const [admin, other] = [await t.signIn('admin'), await t.signIn('operator')]
  await minutesPass(11)
  const asked = admin.request(method, path.replace('{id}', String(other.userId)), body)
  // A HEAD has no body.
  expect(await asked).toMatchObject(method === 'HEAD' ? { status: 403 } : refusal(403, 'auth.reauthenticate'))
  const refusals =
    await t.sql`select id from audit_logs where action = 'access.denied' and user_id = ${admin.userId}`
  expect(refusals).toEqual([])
  expect((await chefe.get<Account[]>('/api/users')).map(({ id }) => id)).toContain(other.userId)
})

test('another name needs no password, another address does, and a call asks if one was given', async () => {
  await nextMinute()
  const [admin, other] = [await t.signIn('admin'), await t.signIn('operator')]
  for (let n = 0; n < 11; n++) await nextMinute()
  const path = `/api/users/${other.userId}`
  expect((await admin.request('PUT', path, { name: 'Outro Nome' })).status).toBe(200)
  const sector = { name: 'Compras', color: '#2563eb' }
  expect((await admin.request('POST', '/api/sectors', sector)).status).toBe(201)
  expect((await admin.request('GET', '/api/auth/confirmation')).status).toBe(403)
  await admin.request('POST', '/api/auth/reauthenticate', { password: testPassword })
  expect((await admin.request('GET', '/api/auth/confirmation')).status).toBe(204)
  expect((await admin.request('PUT', path, { email: 'mudado@teste.example' })).status).toBe(200)
})

test('the current password may be guessed five times in fifteen minutes', async () => {
  await nextMinute()
  const client = await t.signIn('operator')
  const me = await client.get<{ user: Me }>('/api/auth/me')
  const guesses = await Promise.all(
    Array.from({ length: 12 }, () =>
      client.request('POST', '/api/auth/reauthenticate', { password: 'errada' }),
    ),
  )
  const statuses = guesses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
  const right = { password: testPassword }
  expect((await client.request('POST', '/api/auth/reauthenticate', right)).status).toBe(429)
  expect((await logIn(me.user.username)).status).toBe(200)
  await minutesPass(16)
  expect((await client.request('POST', '/api/auth/reauthenticate', right)).status).toBe(204)
})

test('the current password may be a code, of which ten wrong ones a day are heard', async () => {
  const { client, secret } = await enrolled()
  const code = codeAt(secret, await nextMinute())
  expect((await client.request('POST', '/api/auth/reauthenticate', { code })).status).toBe(204)
  expect((await client.request('POST', '/api/auth/reauthenticate', { code })).status).toBe(422)
  const guesses = []
  for (let n = 0; n < 11; n++)
    guesses.push(
      (await client.request('POST', '/api/auth/reauthenticate', { code: String(n).padStart(6, '0') })).status,
    )
  // The code that was sent twice is no guess.
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
})

test('sessions are listed, and ended one by one or all others', async () => {
  await nextMinute()
  const client = await t.signIn('operator')
  const me = await client.get<{ user: Me }>('/api/auth/me')
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' }
  const second = (await logIn(me.user.username, {}, agent)).body.token
  const third = (await logIn(me.user.username)).body.token
  const isAlive = async (token: string) =>
    (await t.request('GET', '/api/auth/me', undefined, { authorization: `Bearer ${token}` })).status === 200
  const { body: sessions } = await client.request<Session[]>('GET', '/api/profile/sessions')
  expect(sessions).toHaveLength(3)
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  const firefox = sessions.find(({ device }) => device === 'Firefox · Linux')
  expect((await client.request('DELETE', `/api/profile/sessions/${firefox?.id}`)).status).toBe(204)
  expect([await isAlive(second), await isAlive(third)]).toEqual([false, true])
  expect((await client.request('DELETE', `/api/profile/sessions/${firefox?.id}`)).status).toBe(404)
  const stranger = await t.signIn('operator')
  const own = sessions.find(({ isCurrent }) => isCurrent)
  expect((await stranger.request('DELETE', `/api/profile/sessions/${own?.id}`)).status).toBe(404)
  expect((await client.request('DELETE', '/api/profile/sessions')).body).toEqual({ ended: 1 })
  expect([await isAlive(client.token), await isAlive(third)]).toEqual([true, false])
  const { body: ofClient } = await chefe.request<Session[]>('GET', `/api/users/${client.userId}/sessions`)
  expect(ofClient).toHaveLength(1)
  await chefe.request('POST', '/api/auth/reauthenticate', { password: testPassword })
  expect((await chefe.request('DELETE', `/api/users/${client.userId}/sessions`)).body).toEqual({ ended: 1 })
  expect(await isAlive(client.token)).toBe(false)
  expect((await chefe.request('GET', '/api/users/999999/sessions')).status).toBe(404)
})
