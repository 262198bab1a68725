import { describe, expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { PasswordRating } from '#shared/users/profile.ts'
import type { Me } from '#shared/users/users.ts'
import { ensureFirstAdmin } from '#server/users/users.ts'
import { connectLive } from '#server/testing/live-client.ts'
import {
  type Client,
  forAllTests,
  refusal,
  testApp,
  testPassword,
  withoutJobs,
} from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

type Changed = { user: Me } & ErrorBody
const change = (who: Client, body: unknown) => who.request<Changed>('PUT', '/api/profile', body)
const meOf = async (who: Client) => (await who.get<{ user: Me }>('/api/auth/me')).user
const logIn = (username: string, password: string) =>
  t.request<{ token: string; user: Me }>('POST', '/api/auth/login', { username, password })
const makeOld = (who: Client) =>
  t.sql`update sessions set confirmed_at = app_now() - interval '11 minutes' where user_id = ${who.userId}`

test('the own profile has the new name at once', async () => {
  const ana = await t.signIn('operator')
  const before = await meOf(ana)
  const { body } = await change(ana, { name: '  Ana Souza ', role: 'admin', isActive: false, id: 1 })
  expect(body.user).toEqual({ ...before, name: 'Ana Souza' })
  expect(await meOf(ana)).toEqual({ ...before, name: 'Ana Souza' })
})

test.each([
  [{ name: ' ' }, 'Nome é obrigatório'],
  [{ email: 'ana' }, 'Email inválido'],
  [{ password: '12345' }, 'Senha deve ter pelo menos 6 caracteres'],
])('the own profile refuses the change %j', async (body, message) => {
  const answer = await change(chefe, body)
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain(message)
})

const nights = { mode: 'hours', start: '22:00', end: '07:00', days: [1], daysOff: [0], mentions: true }
const silence = (who: Client, silentHours: unknown) =>
  who.request<Changed>('PUT', '/api/profile/silent-hours', { silentHours })

test('own silent hours are kept, told to the other tabs of the person, and given up again', async () => {
  const ana = await t.signIn('operator')
  const tab = await connectLive(t.app.url, { token: ana.token })
  expect((await meOf(ana)).silentHours).toBeNull()
  expect((await silence(ana, nights)).body.user.silentHours).toEqual(nights)
  expect((await meOf(ana)).silentHours).toEqual(nights)
  await tab.heard('account_changed')
  expect((await silence(ana, null)).body.user.silentHours).toBeNull()
  const written = await t.sql`select details -> 'changes' -> 'silentHours' as pair from audit_logs
                               where action = 'user.silent_hours' and user_id = ${ana.userId} order by id`
  expect(written).toEqual([{ pair: [null, nights] }, { pair: [nights, null] }])
  await tab.close()
})

test('own silent hours that stay as they are leave nothing in the audit log', async () => {
  const ana = await t.signIn('operator')
  await silence(ana, null)
  expect(
    await t.sql`select from audit_logs where action = 'user.silent_hours' and user_id = ${ana.userId}`,
  ).toEqual([])
})

test.each([
  [{ ...nights, days: [], daysOff: [] }, 'Escolha pelo menos um dia'],
  [{ ...nights, end: '22:00' }, 'O fim é igual ao início'],
  [{ ...nights, start: '9h' }, 'Use o formato hh:mm'],
  [{ ...nights, mode: 'sempre' }, 'silentHours'],
])('own silent hours are refused in words: %j', async (silentHours, message) => {
  const answer = await silence(chefe, silentHours)
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain(message)
})

test('a profile with the address of a colleague is refused', async () => {
  const ana = await t.signIn('operator', 'ana-endereco')
  await t.signIn('operator', 'bia-endereco')
  expect(await change(ana, { email: 'BIA-endereco@teste.example' })).toMatchObject(
    refusal(409, 'users.email_taken'),
  )
})

test('a new address or password needs the current password', async () => {
  const ana = await t.signIn('operator')
  await makeOld(ana)
  for (const body of [{ email: 'nova@teste.example' }, { password: 'outra-alface-roxa' }])
    expect(await change(ana, body)).toMatchObject({ status: 403, body: { code: 'auth.reauthenticate' } })
  // The name, and the address as it is, need none.
  const { email } = await meOf(ana)
  expect((await change(ana, { name: 'Ana', email })).status).toBe(200)
  expect(await change(ana, { email: 'nova@teste.example', currentPassword: 'errada' })).toMatchObject(
    refusal(422, 'profile.wrong_password'),
  )
  expect(
    (await change(ana, { email: 'nova@teste.example', currentPassword: testPassword })).body.user.email,
  ).toBe('nova@teste.example')
})

test('a new password ends the other sessions, and not this one', async () => {
  const ana = await t.signIn('operator')
  const { username } = await meOf(ana)
  const other = (await logIn(username, testPassword)).body.token
  const tab = await connectLive(t.app.url, { token: other })
  await tab.heard('hello')
  expect(await change(ana, { password: testPassword, currentPassword: testPassword })).toMatchObject(
    refusal(422, 'profile.same_password'),
  )
  expect((await change(ana, { password: 'outra-alface-roxa', currentPassword: testPassword })).status).toBe(
    200,
  )
  expect((await tab.closed).code).toBe(4401)
  expect((await meOf(ana)).username).toBe(username)
  expect((await logIn(username, testPassword)).status).toBe(401)
  expect((await logIn(username, 'outra-alface-roxa')).status).toBe(200)
})

describe('a password that somebody else chose', () => {
  const created = async () => {
    const username = `nova-${Date.now()}`
    const { body } = await chefe.request<Account>('POST', '/api/users', {
      username,
      email: `${username}@teste.example`,
      name: 'Nova',
      password: testPassword,
    })
    return body
  }

  test('a password chosen by others must be changed before anything else', async () => {
    const account = await created()
    expect(account.mustChangePassword).toBe(true)
    const { body } = await logIn(account.username, testPassword)
    expect(body.user.pending).toBe('password')
    const ask = (method: string, path: string, sent?: unknown) =>
      t.request(method, path, sent, { authorization: `Bearer ${body.token}` })
    expect(await ask('GET', '/api/conversations')).toMatchObject(refusal(403, 'auth.entry_pending'))
    await expect(connectLive(t.app.url, { token: body.token })).rejects.toThrow()
    expect((await ask('PUT', '/api/profile', { name: 'Nova Pessoa' })).status).toBe(200)
    expect((await ask('GET', '/api/conversations')).status).toBe(403)
    expect(await ask('PUT', '/api/profile', { password: testPassword })).toMatchObject({
      body: { code: 'profile.same_password' },
    })
    const done = await ask('PUT', '/api/profile', { password: 'minha-alface-roxa' })
    expect(done).toMatchObject({ status: 200, body: { user: { pending: null } } })
    expect((await ask('GET', '/api/conversations')).status).toBe(200)
    expect((await logIn(account.username, 'minha-alface-roxa')).body.user.pending).toBeNull()
  })

  test('only a password set by an administrator for others must be changed', async () => {
    const ana = await t.signIn('operator')
    const { username } = await meOf(ana)
    await chefe.request('PUT', `/api/users/${ana.userId}`, { password: 'dada-pelo-chefe' })
    expect((await logIn(username, 'dada-pelo-chefe')).body.user.pending).toBe('password')
    const outro = await t.signIn('admin')
    await outro.request('PUT', `/api/users/${outro.userId}`, { password: 'minha-propria-senha' })
    expect((await meOf(outro)).pending).toBeNull()
  })
})

test('the password that the program has printed is named as such, and to be changed', async () => {
  const fresh = await testApp({}, withoutJobs)
  const none = { username: undefined, email: undefined, password: undefined }
  const admin = await ensureFirstAdmin(fresh.database, none)
  const logInAgain = async () => {
    const { body } = await fresh.request<{ token: string; user: Me }>('POST', '/api/auth/login', admin)
    return body
  }
  const { token, user } = await logInAgain()
  expect(user.pending).toBe('printed_password')
  const authorization = `Bearer ${token}`
  const ask = (method: string, path: string, sent?: unknown) =>
    fresh.request<Changed>(method, path, sent, { authorization })
  expect(await ask('GET', '/api/conversations')).toMatchObject(refusal(403, 'auth.entry_pending'))
  // Once there is somebody else, they may have chosen it.
  const other = await fresh.signIn('admin')
  expect((await logInAgain()).user.pending).toBe('password')
  await fresh.sql`delete from sessions where user_id = ${other.userId}`
  await fresh.sql`delete from users where id = ${other.userId}`
  expect((await ask('PUT', '/api/profile', { password: 'minha-alface-roxa' })).body.user.pending).toBeNull()
  await fresh.close()
})

describe('the strength of a password', () => {
  const rate = async (who: Client, password: string, known?: string[]) =>
    (await who.request<PasswordRating>('POST', '/api/profile/password-strength', { password, known })).body

  test.each([
    ['123456', 0],
    ['Senha@123', 1],
    ['flamengo10', 1],
    ['quatro gatos pardos', 4],
  ])('the strength of the password %j is rated %i', async (password, score) => {
    const rating = await rate(chefe, password)
    expect(rating).toMatchObject({ score, isRefused: score <= 1 })
    expect(rating.advice === null).toBe(score >= 3)
  })

  test('the strength of a password knows the person, and whom one creates', async () => {
    const marina = await t.signIn('operator', 'marina-queiroz')
    expect((await rate(marina, 'marinaqueiroz')).score).toBeLessThan(2)
    expect((await rate(chefe, 'zuleicatorquato', ['zuleica', 'Zuleica Torquato'])).score).toBeLessThan(2)
    expect((await rate(chefe, 'zuleicatorquato')).score).toBeGreaterThan(2)
  })

  test('the strength of a password of a weak one refuses it with PASSWORD_STRICT', async () => {
    const strict = await testApp({ PASSWORD_STRICT: 'on' }, withoutJobs)
    const ana = await strict.signIn('operator')
    expect((await rate(ana, 'flamengo10')).isRefused).toBe(true)
    const set = (password: string) => ana.request<Changed>('PUT', '/api/profile', { password })
    expect(await set('flamengo10')).toMatchObject({ status: 422, body: { code: 'users.common_password' } })
    expect((await set('quatro gatos pardos')).status).toBe(200)
    await strict.close()
  })
})

describe('the picture', () => {
  const png = (width: number) => {
    const head = Buffer.alloc(64)
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').copy(head)
    head.writeUInt32BE(width, 16)
    head.writeUInt32BE(10, 20)
    return head
  }
  const put = (who: Client, bytes: Buffer) => {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), 'foto.png')
    return who.request<{ pictureUrl: string; code: string }>('PUT', '/api/profile/picture', form)
  }
  const get = (who: Client, url: string) =>
    fetch(t.app.url + url, { headers: { authorization: `Bearer ${who.token}` } })

  test('the picture is set, seen by colleagues, replaced and removed', async () => {
    const ana = await t.signIn('operator')
    const first = await put(ana, png(10))
    expect(first.status).toBe(200)
    expect((await meOf(ana)).pictureUrl).toBe(first.body.pictureUrl)
    const seen = await get(chefe, first.body.pictureUrl)
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await seen.arrayBuffer())).toEqual(png(10))
    const { body: accounts } = await chefe.request<Account[]>('GET', '/api/users')
    expect(accounts.find(({ id }) => id === ana.userId)?.pictureUrl).toBe(first.body.pictureUrl)
    const second = await put(ana, png(20))
    expect((await get(chefe, first.body.pictureUrl)).status).toBe(404)
    expect((await get(chefe, second.body.pictureUrl)).status).toBe(200)
    expect((await ana.request('DELETE', '/api/profile/picture')).status).toBe(204)
    expect((await get(chefe, second.body.pictureUrl)).status).toBe(404)
    expect((await meOf(ana)).pictureUrl).toBeNull()
  })

  test.each([
    ['is no picture', Buffer.from('<svg onload=alert(1)>'), 422, 'profile.picture_kind'],
    ['has too many points', png(5000), 422, 'profile.picture_kind'],
    [
      'is too large',
      Buffer.concat([png(10), Buffer.alloc(2 * 1024 * 1024)]),
      413,
      'profile.picture_too_large',
    ],
  ])('a profile picture that %s is refused', async (_, bytes, status, code) => {
    const ana = await t.signIn('operator')
    expect(await put(ana, bytes)).toMatchObject({ status, body: { code } })
    expect((await meOf(ana)).pictureUrl).toBeNull()
  })
})
