import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { type SQL, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ErrorBody } from '#shared/errors.ts'
import { flags as allFlags, type Role } from '#shared/permissions.ts'
import type { Me } from '#shared/users/users.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { openTab, refusedUpgrade } from '#server/testing/live-client.ts'
import {
  above,
  type Answer,
  eventually,
  forAllTests,
  requestTo,
  testApp,
  testPassword,
} from '#server/testing/test-app.ts'
import { trimRateLimits } from './attempts.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { createUser, resetPassword, unblockAccount } from '#server/users/users.ts'

/** Every password comparison is counted here, and delayed while a test holds the gate. */
const compared = vi.hoisted(() => ({
  count: 0,
  atOnce: 0,
  mostAtOnce: 0,
  gate: undefined as Promise<void> | undefined,
  instead: undefined as (() => Promise<boolean>) | undefined,
}))
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<{ verify: typeof verify }>()
  return {
    ...original,
    async verify(...given: Parameters<typeof verify>) {
      compared.count++
      compared.mostAtOnce = Math.max(compared.mostAtOnce, ++compared.atOnce)
      try {
        await compared.gate
        return await (compared.instead?.() ?? original.verify(...given))
      } finally {
        compared.atOnce--
      }
    },
  }
})

const wrongText = 'Usuario ou senha invalido tente novamente'
const blockedText = 'Usuario bloqueado apos 3 tentativas incorretas. Entre em contato com o administrador.'
const lockedText = 'Conta temporariamente bloqueada. Tente novamente mais tarde.'

const t = forAllTests(() => testApp({ TRUST_PROXY: '127.0.0.1' }))
const other = forAllTests(() => {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-second-'))
  const secretKey = 'k'.repeat(20) + '-of-the-second-instance'
  return t.startAnother({ config: { ...t.config, dataDir, secretKey } })
})
afterEach(() => {
  compared.gate = undefined
  compared.instead = undefined
})

let lastAddress = 0
/** A new address for each call, because addresses have limits. */
const fromElsewhere = () => {
  lastAddress++
  return { 'x-forwarded-for': `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}` }
}

type LoginAnswer = Answer<ErrorBody & { token: string; user: Me }>

const login = (
  username: string,
  password: string,
  headers: Record<string, string> = fromElsewhere(),
  { url }: { url: string } = t.app,
): Promise<LoginAnswer> => requestTo(url, 'POST', '/api/auth/login', { username, password }, headers)

const me = (headers: Record<string, string>) =>
  t.request<{ user: Me }>('GET', '/api/auth/me', undefined, headers)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

let lastUser = 0
async function newUser(
  role: Role = 'operator',
  { username = `pessoa-${++lastUser}`, password = testPassword } = {},
): Promise<{ username: string; id: number }> {
  const email = `${username}@teste.example`
  const id = await createUser(t.database, { username, email, name: username, password, role })
  return { username, id }
}

/** A new user, and a session of theirs. */
const signedIn = async (role: Role = 'operator') => {
  const user = await newUser(role)
  const { token } = (await login(user.username, testPassword)).body
  return { ...user, token }
}

async function attemptsOf(id: number) {
  const [row] = await t.sql<{ attempts: number; isLoginLocked: boolean; lockedMinutes: number | null }>`
    select failed_login_attempts as attempts, login_locked_at is not null as "isLoginLocked",
               round(extract(epoch from locked_until - app_now()) / 60)::int as "lockedMinutes" from users
                 where id = ${id}`
  return row
}

const countOf = async (table: string) =>
  (await t.sql<{ n: number }>`select count(*)::int as n from ${sql.identifier(table)}`)[0]?.n

/** Holds every comparison until the returned function is called. */
function holdComparisons(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  compared.gate = promise
  return resolve
}
const comparing = (count: number) => eventually(() => compared.atOnce, count)

test('the right name and password give a token, a cookie and the person with their flags', async () => {
  const { username, id } = await newUser('supervisor')
  const answer = await login(username, testPassword)
  expect(answer.status).toBe(200)
  expect(answer.body.user).toMatchObject({ id, username, role: 'supervisor' })
  expect(answer.body.user.permissions).toMatchObject({
    canViewConversations: true,
    canViewTrackingMessages: false,
  })
  expect(answer.body.token).toMatch(/^[\w-]{43}$/)
  expect(answer.headers.getSetCookie()).toContain(`sid=${answer.body.token}; Path=/; HttpOnly; SameSite=Lax`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('an answer contains neither password nor hash, and only the hash of the token is stored', async () => {
  const { username } = await newUser()
  const { body } = await login(username, testPassword)
  expect(JSON.stringify(body)).not.toMatch(/argon2|senha/i)
  const kept = JSON.stringify(await t.sql`select * from sessions`)
  expect(kept).not.toContain(body.token)
})

test('behind https the cookie is for https alone', async () => {
  const secure = await t.startAnother({
    config: { ...t.config, publicUrl: 'https://balcao.example', secretKey: 'x'.repeat(32) },
  })
  const { username } = await newUser()
  const answer = await login(username, testPassword, { origin: 'https://balcao.example' }, secure)
  await secure.stop()
  const [known, session] = answer.headers.getSetCookie().toSorted()
  expect(known).toMatch(/^__Host-known=\S+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(session).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

test('the name is found in any case and with blanks around it, the password only as it is', async () => {
  const { username } = await newUser()
  expect((await login(`  ${username.toUpperCase()} `, testPassword)).status).toBe(200)
  expect((await login(username, `${testPassword} `)).status).toBe(401)
  expect((await login(username, testPassword.toUpperCase())).status).toBe(401)
  expect((await login(username, testPassword)).status).toBe(200)
})

test.each(['x'.repeat(128), '🔑🗝️ chave — ключ', ' com espaços '])(
  'the password %j works exactly',
  async (password) => {
    const { username } = await newUser('operator', { password })
    expect((await login(username, password.slice(0, -1))).status).toBe(401)
    expect((await login(username, password)).status).toBe(200)
  },
)

test.each([
  ['', 'senha'],
  ['   ', 'senha'],
  ['ana', ''],
  ['ana', '  \t '],
])(
  'name %j with password %j is asked to be filled in, and nobody is compared',
  async (username, password) => {
    const before = compared.count
    const answer = await login(username, password)
    const message = 'Por favor, preencha usuário e senha'
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid', message } })
    expect(Object.values(answer.body.fields ?? {})).toEqual([message])
    expect(compared.count).toBe(before)
  },
)

test.each([
  [{}],
  [{ username: 'ana' }],
  [{ username: ['ana'], password: { $ne: '' } }],
  [{ username: 'a'.repeat(201), password: 'x' }],
  [{ username: 'ana', password: 'x'.repeat(1025) }],
  [{ username: 'a\0na', password: 'x' }],
  ['username=ana&password=x'],
  ['null'],
])('the body %j is refused and nobody is compared', async (body) => {
  const before = compared.count
  expect((await t.request('POST', '/api/auth/login', body)).status).toBe(400)
  expect(compared.count).toBe(before)
})

test('a comparison that fails or answers late and false lets nobody in', async () => {
  const { username, id } = await newUser()
  const sessions = await countOf('sessions')
  compared.instead = () => Promise.reject(new Error('the hasher broke'))
  expect((await login(username, testPassword)).status).toBe(500)
  compared.instead = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return false
  }
  expect((await login(username, testPassword)).status).toBe(401)
  expect(await countOf('sessions')).toBe(sessions)
  expect((await attemptsOf(id))?.isLoginLocked).toBe(false)
})

test('the third wrong password blocks an operator, and the right one is refused from then on', async () => {
  const { username, id } = await newUser()
  for (const attempts of [1, 2]) {
    expect(await login(username, 'errada')).toMatchObject({
      status: 401,
      body: { code: 'auth.invalid_credentials', message: wrongText },
    })
    expect(await attemptsOf(id)).toMatchObject({ attempts, isLoginLocked: false })
  }
  const last = await login(username, 'errada')
  expect(last).toMatchObject({ status: 403, body: { code: 'auth.blocked', message: blockedText } })
  const before = compared.count
  const late = await login(username, testPassword)
  expect(late).toMatchObject({ status: 403, body: { message: blockedText } })
  expect(compared.count).toBe(before)
  expect(await attemptsOf(id)).toMatchObject({ isLoginLocked: true })
})

test('a right password in between begins the count anew', async () => {
  const { username, id } = await newUser('supervisor')
  for (let round = 0; round < 3; round++) {
    expect((await login(username, 'errada')).status).toBe(401)
    expect((await login(username, 'errada')).status).toBe(401)
    expect((await login(username, testPassword)).status).toBe(200)
    expect(await attemptsOf(id)).toMatchObject({ attempts: 0, isLoginLocked: false })
  }
})

test('of 200 parallel guesses on two instances three are compared; the right one is refused', async () => {
  const { username, id } = await newUser()
  const before = compared.count
  const release = holdComparisons()
  const guesses = Array.from({ length: 200 }, (_, n) =>
    login(username, `errada-${n}`, fromElsewhere(), n % 2 === 0 ? t.app : other),
  )
  // Two are being compared and a third waits for its turn: a newcomer gets no attempt.
  await eventually(() => attemptsOf(id), { attempts: 3 })
  await comparing(2)
  const right = login(username, testPassword)
  release()
  expect(await right).toMatchObject({ status: 403, body: { message: blockedText } })
  const statuses = (await Promise.all(guesses)).map((answer) => answer.status)
  expect(compared.count - before).toBeLessThanOrEqual(3)
  expect(statuses.filter((status) => status === 401)).toHaveLength(2)
  expect(statuses.filter((status) => status === 403)).toHaveLength(198)
  expect(await attemptsOf(id)).toMatchObject({ isLoginLocked: true })
  expect(await login(username, testPassword)).toMatchObject({ status: 403, body: { message: blockedText } })
  expect(compared.count - before).toBeLessThanOrEqual(3)
  const failures = await t.sql<{ n: number }>`select count(*)::int as n from audit_logs
         where action = 'auth.login_failed' and resource_id = ${String(id)} and details ->> 'attempt' > ''`
  expect(failures).toEqual([{ n: 3 }])
})

test.each(['operator', 'admin'] as const)(
  'an %s whose eight tabs sign in at once, over two instances, is let in by all of them',
  async (role) => {
    const { username, id } = await newUser(role)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        login(username, testPassword, fromElsewhere(), n % 2 === 0 ? t.app : other),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await attemptsOf(id)).toMatchObject({ attempts: 0, isLoginLocked: false, lockedMinutes: null })
  },
)

test('a right password that is compared after the third wrong one is refused, without error', async () => {
  const { username, id } = await newUser()
  const release = holdComparisons()
  const right = login(username, testPassword)
  await comparing(1)
  await t.sql`update users set login_locked_at = app_now(), failed_login_attempts = 3 where id = ${id}`
  release()
  expect(await right).toMatchObject({ status: 403, body: { message: blockedText } })
  expect(await attemptsOf(id)).toMatchObject({ attempts: 3, isLoginLocked: true })
  const sessions = await t.sql`select id from sessions where user_id = ${id}`
  expect(sessions).toEqual([])
})

test('a right password whose comparison ends after it was replaced opens no session', async () => {
  const { username, id } = await newUser()
  const release = holdComparisons()
  const late = login(username, testPassword)
  await comparing(1)
  await resetPassword(t.database, username, 'outra-alface-roxa', 'command')
  release()
  expect(await late).toMatchObject({ status: 401, body: { message: wrongText } })
  expect(await t.sql`select id from sessions where user_id = ${id}`).toEqual([])
  expect((await login(username, 'outra-alface-roxa')).status).toBe(200)
})

test('a session that is ended while its person signs in is answered as one that is over', async () => {
  const { username, id } = await newUser()
  // Between the sign-in and the look at the session.
  await t.sql`create function end_session() returns trigger language plpgsql as
    $$ begin new.ended_at := app_now(); return new; end $$`
  await t.database.execute(
    sql.raw(`create trigger end_session before insert on sessions for each row
             when (new.user_id = ${id}) execute function end_session()`),
  )
  expect(await login(username, testPassword)).toMatchObject({
    status: 401,
    body: { code: 'auth.required' },
  })
  await t.sql`drop function end_session cascade`
})

test('too many sign in at once: who is sent away has used no attempt', async () => {
  const { username, id } = await newUser()
  const release = holdComparisons()
  const crowd = Array.from({ length: 62 }, (_, n) => login(`multidao-${lastUser}-${n}`, 'x'))
  await comparing(2)
  // Sixty more wait; the last of them is in line when its attempt is counted.
  await eventually(() => t.sql`select key from rate_limits where key like 'nobody:%' and count = 1`, {
    length: above(61),
  })
  for (let n = 0; n < 4; n++) {
    const answer = await login(username, testPassword)
    expect(answer).toMatchObject({ status: 429, body: { message: lockedText } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await attemptsOf(id)).toMatchObject({ attempts: 0 })
  }
  release()
  await Promise.all(crowd)
  expect((await login(username, testPassword)).status).toBe(200)
})

test('thirty people of one office at once, behind one address, are all let in', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => newUser()))
  const office = fromElsewhere()
  const release = holdComparisons()
  const answers = people.map(async ({ username }, n) => {
    // Five of them have mistyped twice.
    const typed = n < 5 ? ['erada', 'erradaa', testPassword] : [testPassword]
    const statuses: number[] = []
    for (const password of typed) statuses.push((await login(username, password, office)).status)
    return statuses.join()
  })
  await comparing(2)
  release()
  const wanted = people.map((_, n) => (n < 5 ? '401,401,200' : '200'))
  expect(await Promise.all(answers)).toEqual(wanted)
})

test('never more than two passwords are compared at once', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => newUser()))
  compared.mostAtOnce = 0
  compared.instead = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return true
  }
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(people.map(({ username }) => login(username, 'x')))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  }
  expect(compared.mostAtOnce).toBe(2)
})

describe('an administrator', () => {
  /** Ends the lock. */
  const waitOut = (id: number) =>
    t.sql`update users set locked_until = app_now() - interval '1 second' where id = ${id}`

  test('an administrator is never blocked but locked for a growing time', async () => {
    const { username, id } = await newUser('admin')
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      const text = minutes === 15 ? wrongText : blockedText
      for (let n = 0; n < 2; n++) expect((await login(username, 'errada')).body.message).toBe(text)
      const third = await login(username, 'errada')
      expect(third).toMatchObject({ status: 403, body: { code: 'auth.blocked', message: blockedText } })
      expect(await attemptsOf(id)).toMatchObject({ isLoginLocked: false, lockedMinutes: minutes })
      const before = compared.count
      expect(await login(username, testPassword)).toMatchObject({
        status: 403,
        body: { message: blockedText },
      })
      expect(compared.count).toBe(before)
      await waitOut(id)
    }
    expect((await login(username, testPassword)).status).toBe(200)
    for (let n = 0; n < 3; n++) await login(username, 'errada')
    expect(await attemptsOf(id)).toMatchObject({ lockedMinutes: 15 })
  })

  test.each([33, 40, 2000])('an administrator is locked for a day also after %i locks', async (locks) => {
    const { username, id } = await newUser('admin')
    await t.sql`update users set lock_count = ${locks} where id = ${id}`
    for (const status of [403, 403, 403, 403]) expect((await login(username, 'errada')).status).toBe(status)
    expect(await attemptsOf(id)).toMatchObject({ lockedMinutes: 1440 })
  })

  test('who is signed in already goes on working while somebody guesses', async () => {
    const { username, token } = await signedIn('admin')
    for (let n = 0; n < 4; n++) await login(username, 'errada')
    expect((await me(bearer(token))).status).toBe(200)
  })

  test('parallel guesses share the three attempts of the lock too', async () => {
    const { username, id } = await newUser('admin')
    const before = compared.count
    await Promise.all(Array.from({ length: 50 }, () => login(username, 'errada')))
    expect(compared.count - before).toBeLessThanOrEqual(3)
    expect(await attemptsOf(id)).toMatchObject({ isLoginLocked: false, lockedMinutes: 15 })
  })
})

describe('a browser by which somebody has signed in before', () => {
  const cookieOf = (answer: LoginAnswer) =>
    answer.headers
      .getSetCookie()
      .find((one) => one.startsWith('known='))
      ?.split(';')[0] ?? ''
  /** As a browser sends it. */
  const from = (cookie: string) => ({ ...fromElsewhere(), cookie, origin: t.app.url })

  test.each(['operator', 'admin'] as const)(
    'a stranger does not lock an %s out of the own browser',
    async (role) => {
      const { username, id } = await newUser(role)
      const mine = cookieOf(await login(username, testPassword))
      expect(mine).not.toBe('')
      const theirs = cookieOf(await login((await newUser()).username, testPassword))
      for (let n = 0; n < 3; n++) await login(username, 'errada')
      const before = await attemptsOf(id)
      expect((await login(username, testPassword)).status).toBe(403)
      expect((await login(username, testPassword, from(theirs))).status).toBe(403)
      expect((await login(username, testPassword, from(`${mine}x`))).status).toBe(403)
      expect((await login(username, 'errada', from(mine))).status).toBe(403)
      expect((await login(username, testPassword, from(mine))).status).toBe(200)
      // For others it is as it was.
      expect(await attemptsOf(id)).toEqual(before)
      expect((await login(username, testPassword)).status).toBe(403)
    },
  )

  test('a stolen known browser hears ten wrong passwords a day, and none after a new password', async () => {
    const { username } = await newUser()
    const mine = cookieOf(await login(username, testPassword))
    for (let n = 0; n < 3; n++) await login(username, 'errada')
    const before = compared.count
    for (let n = 0; n < 12; n++) expect((await login(username, 'errada', from(mine))).status).toBe(403)
    expect(compared.count - before).toBe(10)
    expect((await login(username, testPassword, from(mine))).status).toBe(403)
    const other = await newUser('admin')
    const stolen = cookieOf(await login(other.username, testPassword))
    await resetPassword(t.database, other.username, 'outra-alface-roxa', 'command')
    for (let n = 0; n < 3; n++) await login(other.username, 'errada')
    expect((await login(other.username, 'outra-alface-roxa', from(stolen))).status).toBe(403)
  })

  test('a browser that several people share knows the last five of them', async () => {
    const people = []
    for (let n = 0; n < 6; n++) people.push(await newUser())
    let cookie = ''
    for (const { username } of people) cookie = cookieOf(await login(username, testPassword, from(cookie)))
    for (const { username } of people) for (let n = 0; n < 3; n++) await login(username, 'errada')
    const statuses = []
    for (const { username } of people)
      statuses.push((await login(username, testPassword, from(cookie))).status)
    expect(statuses).toEqual([403, 200, 200, 200, 200, 200])
  })

  test('whoever is blocked by an administrator is not let in by a known browser', async () => {
    const { username, id } = await newUser()
    const mine = cookieOf(await login(username, testPassword))
    for (let n = 0; n < 3; n++) await login(username, 'errada')
    await t.sql`update users set is_blocked = true where id = ${id}`
    expect((await login(username, testPassword, from(mine))).status).toBe(403)
    expect(await t.sql`select id from sessions where user_id = ${id} and ended_at is null offset 1`).toEqual(
      [],
    )
  })
})

describe('names that are nobody', () => {
  /** Five attempts, each with what a stranger can observe of it. */
  async function sequence(username: string, address?: Record<string, string>) {
    const seen = []
    for (let n = 0; n < 5; n++) {
      const before = compared.count
      const { status, body, headers } = await login(username, 'errada', address ?? fromElsewhere())
      const shown = [...headers.keys()].filter((name) => name !== 'date').toSorted()
      seen.push({ status, body, shown, comparisons: compared.count - before })
    }
    return seen
  }

  test('unknown names answer five attempts like those of people, with as many comparisons', async () => {
    const { username } = await newUser()
    const known = await sequence(username)
    expect(known.map((one) => [one.status, one.comparisons])).toEqual([
      [401, 1],
      [401, 1],
      [403, 1],
      [403, 0],
      [403, 0],
    ])
    expect(await sequence((await newUser('admin')).username)).toEqual(known)
    const blocked = await newUser()
    await t.sql`update users set is_blocked = true where id = ${blocked.id}`
    expect(await sequence(blocked.username)).toEqual(known)
    expect(await sequence('ninguem')).toEqual(known)
    expect(await sequence('Ninguem2')).toEqual(known)
    expect(await sequence("x' or '1'='1")).toEqual(known)
  })

  test('names answer alike also when a lock has ended, and to whoever sends a code', async () => {
    const people = [
      await newUser('admin'),
      await newUser(),
      await newUser('supervisor'),
      await newUser('admin'),
    ]
    await t.sql`update users set totp_secret_encrypted = ${t.app.secrets.encrypt('JBSWY3DPEHPK3PXP')},
                  totp_confirmed_at = app_now() where id = ${people[3]?.id ?? 0}`
    const names = [...people.map(({ username }) => username), 'fantasma-da-espera']
    /** Four attempts with each name: status, code, comparisons. */
    const seenOfAll = async (more: { code?: string } = {}) => {
      const seen: unknown[][] = []
      for (const username of names)
        for (let n = 0; n < 4; n++) {
          const before = compared.count
          const form = { username, password: 'errada', ...more }
          const answer = await t.request<ErrorBody>('POST', '/api/auth/login', form, fromElsewhere())
          ;(seen[n] ??= []).push([answer.status, answer.body.code, compared.count - before])
        }
      return seen
    }
    const clock = await movableClock(t.database)
    const start = Date.now()
    const alike = (...seen: [number, number][]) =>
      seen.map(([status, comparisons]) =>
        names.map(() => [status, status === 401 ? 'auth.invalid_credentials' : 'auth.blocked', comparisons]),
      )
    expect(await seenOfAll()).toEqual(alike([401, 1], [401, 1], [403, 1], [403, 0]))
    await clock.set(new Date(start + 16 * 60_000))
    expect(await seenOfAll()).toEqual(alike([403, 1], [403, 1], [403, 1], [403, 0]))
    await clock.set(new Date(start + 40 * 60_000))
    expect(await seenOfAll()).toEqual(alike([403, 0], [403, 0], [403, 0], [403, 0]))
    expect(await seenOfAll({ code: '000000' })).toEqual(alike([403, 1], [403, 1], [403, 1], [403, 1]))
    await clock.set(new Date(start + 60 * 60_000))
    expect(await seenOfAll()).toEqual(alike([403, 1], [403, 1], [403, 1], [403, 0]))
    await clock.set(new Date())
  })

  test('unknown names are counted whatever their case', async () => {
    await login('Fantasma', 'x')
    await login('fantasma', 'x')
    expect((await login(' FANTASMA ', 'x')).status).toBe(403)
  })

  test('an inactive and a deleted user are nobody', async () => {
    const [inactive, deleted, operator] = [await newUser(), await newUser(), await newUser()]
    await t.sql`update users set is_active = false where id = ${inactive.id}`
    await t.sql`update users set deleted_at = app_now() where id = ${deleted.id}`
    for (const { username } of [inactive, deleted])
      expect(await login(username, testPassword)).toMatchObject({ status: 401, body: { message: wrongText } })
    const known = await sequence(operator.username)
    expect((await sequence(inactive.username)).slice(0, 2).map((one) => one.status)).toEqual([401, 403])
    expect(known[0]?.status).toBe(401)
    expect(await attemptsOf(inactive.id)).toMatchObject({ attempts: 0, isLoginLocked: false })
  })

  test('a user whom somebody has blocked reads that with the right password', async () => {
    const { username, id } = await newUser()
    await t.sql`update users set is_blocked = true where id = ${id}`
    expect(await login(username, testPassword)).toMatchObject({
      status: 403,
      body: { message: 'Usuario bloqueado. Entre em contato com o administrador.' },
    })
  })

  test('the name of a deleted user may be somebody else, who signs in', async () => {
    const { username, id } = await newUser()
    await t.sql`update users set deleted_at = app_now() where id = ${id}`
    const next = await newUser('operator', { username, password: 'outra-senha' })
    expect((await login(username, 'outra-senha')).body.user.id).toBe(next.id)
  })
})

test('after ten failures with one name it is answered no more, and others with that name are', async () => {
  const { username } = await newUser()
  const from = fromElsewhere()
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await login('alguem-x', 'errada', from)).status)
  expect(statuses).toEqual([401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 429])
  const before = compared.count
  const refused = await login('alguem-x', 'errada', from)
  expect(refused).toMatchObject({ status: 429, body: { message: lockedText } })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(compared.count).toBe(before)
  expect((await login('alguem-x', 'errada')).status).toBe(403)
  expect((await login(username, testPassword, from)).status).toBe(200)
})

test('after a hundred failures it is answered no more, unless somebody there is signed in', async () => {
  const { username } = await newUser()
  compared.instead = () => Promise.resolve(false)
  const stranger = fromElsewhere()
  const office = fromElsewhere()
  for (const from of [stranger, office])
    for (let n = 0; n < 100; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, m) => login(`chute-${n}-${m}-${from['x-forwarded-for']}`, 'x', from)),
      )
  compared.instead = undefined
  expect((await login(username, testPassword, stranger)).status).toBe(429)
  await t.sql`insert into sessions (token_hash, user_id, address)
        select 'hash-of-the-office', id, ${office['x-forwarded-for']} from users
        where username = ${username}`
  expect((await login(username, testPassword, office)).status).toBe(200)
})

test('an address of IPv6 that guesses is its network of 64 bits', async () => {
  const { username } = await newUser()
  const from = (n: number) => ({ 'x-forwarded-for': `2001:db8:77:1::${n.toString(16)}` })
  for (let n = 0; n < 10; n++) await login('alguem-y', 'errada', from(n))
  expect((await login('alguem-y', 'errada', from(999))).status).toBe(429)
  expect((await login('alguem-y', 'errada', { 'x-forwarded-for': '2001:db8:77:2::1' })).status).toBe(403)
  expect((await login(username, testPassword, from(999))).status).toBe(200)
})

test('an address that guesses is not hidden by the forged header of an undeclared proxy', async () => {
  const undeclared = await t.startAnother({ config: { ...t.config, trustProxy: undefined } })
  const statuses = []
  for (let n = 0; n < 11; n++)
    statuses.push(
      (await login('alguem-z', 'errada', { 'x-forwarded-for': `198.51.100.${n}` }, undeclared)).status,
    )
  expect(statuses.at(-1)).toBe(429)
  await undeclared.stop()
})

test('an address that guesses is not counted where the configuration says so', async () => {
  const unlimited = await t.startAnother({ config: { ...t.config, isLoginLimitedByAddress: false } })
  const from = fromElsewhere()
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push((await login('alguem-w', 'errada', from, unlimited)).status)
  expect(new Set(statuses.slice(2))).toEqual(new Set([403]))
  await unlimited.stop()
})

test('counters whose window has ended are trimmed, and of invented names the newest are kept', async () => {
  await t.sql`delete from rate_limits`
  await t.sql`insert into rate_limits (key, count, window_ends_at) values
          ('login:over', 5, app_now() - interval '1 second'),
          ('login:living', 5, app_now() + interval '1 minute')`
  await t.sql`insert into rate_limits (key, count, window_ends_at)
          select 'nobody:' || n, 1, app_now() + interval '1 day' + n * interval '1 second'
            from generate_series(1, 100003) n`
  await trimRateLimits(t.database)
  const kept = await t.sql<{ key: string }>`select key from rate_limits
         where key not like 'nobody:%' or key in ('nobody:1', 'nobody:3', 'nobody:4') order by key`
  expect(kept.map(({ key }) => key)).toEqual(['login:living', 'nobody:4'])
  await t.sql`delete from rate_limits`
})

describe('a session', () => {
  test('a session is shown by the bearer or by the cookie', async () => {
    const { token, id } = await signedIn()
    expect((await me(bearer(token))).body.user.id).toBe(id)
    expect((await me({ cookie: `sid=${token}` })).body.user.id).toBe(id)
    expect((await me({ cookie: `outro=1; sid=${token}; mais=2` })).body.user.id).toBe(id)
  })

  test('an hour-old login of one browser does not end that of another', async () => {
    const { username, token } = await signedIn()
    const second = (await login(username, testPassword)).body.token
    expect(second).not.toBe(token)
    expect((await me(bearer(token))).status).toBe(200)
    expect((await me(bearer(second))).status).toBe(200)
  })

  test('of requests at the same instant, each is its own person, and strangers stay strangers', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => signedIn()))
    const ended = await signedIn()
    await t.sql`update sessions set ended_at = app_now() where user_id = ${ended.id}`
    const tokens = [...people.map(({ token }) => token), ended.token, 'A'.repeat(43)]
    const asked = Array.from({ length: 60 }, (_, n) => tokens[n % tokens.length] ?? '')
    const answers = await Promise.all(asked.map((token) => me(bearer(token))))
    const expected = asked.map((token) => people.find((one) => one.token === token)?.id)
    expect(answers.map(({ status, body }) => (status === 200 ? body.user.id : undefined))).toEqual(expected)
  })

  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  test.each<[string, (living: string) => Record<string, string>]>([
    ['nothing', () => ({})],
    ['an empty bearer', () => ({ authorization: 'Bearer ' })],
    ['a number', () => bearer('1')],
    ['a made-up token', () => bearer('A'.repeat(43))],
    ['a huge token', () => bearer('A'.repeat(5000))],
    ['the hash of a living one', (living) => bearer(hashToken(living))],
    ['a living one with more behind it', (living) => bearer(`${living}A`)],
    ['a living one without its end', (living) => bearer(living.slice(0, -1))],
    ['a JWT with alg none', () => bearer(`${none}.${Buffer.from('{"sub":1}').toString('base64url')}.`)],
    ['a made-up cookie', () => ({ cookie: `sid=${'A'.repeat(43)}` })],
    ['the hash of a living one as a cookie', (living) => ({ cookie: `sid=${hashToken(living)}` })],
    ['a cookie of another name', (living) => ({ cookie: `__Host-sid=${living}` })],
    ['SQL', () => bearer("x'--")],
  ])('a request with %s has no session, and neither has a socket', async (_name, make) => {
    const headers = make((await signedIn()).token)
    expect(await t.request('GET', '/api/auth/me', undefined, headers)).toMatchObject({
      status: 401,
      body: { code: 'auth.required', message: 'Sessão expirada. Faça login para continuar.' },
    })
    expect(await refusedUpgrade(t.app.url, { headers: { origin: t.app.url, ...headers } })).toBe(401)
  })

  test('a token with one changed letter is none, wherever the letter stands', async () => {
    const { token } = await signedIn()
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect((await me(bearer(changed))).status).toBe(401)
    }
  })

  test('a session ends by logging out, the other one lives on', async () => {
    const { username, token } = await signedIn()
    const second = (await login(username, testPassword)).body.token
    const out = await t.request('POST', '/api/auth/logout', undefined, bearer(token))
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^sid=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/)
    expect(out.headers.get('clear-site-data')).toBe('"cache"')
    expect((await me(bearer(token))).status).toBe(401)
    expect((await me({ cookie: `sid=${token}` })).status).toBe(401)
    expect((await t.request('POST', '/api/auth/logout', undefined, bearer(token))).status).toBe(401)
    expect(await refusedUpgrade(t.app.url, { token })).toBe(401)
    expect((await me(bearer(second))).status).toBe(200)
  })

  const ofSession = (change: SQL) => (id: number) => sql`update sessions set ${change} where user_id = ${id}`
  const ofPerson = (change: SQL) => (id: number) => sql`update users set ${change} where id = ${id}`
  test.each([
    ['idle for twelve hours', ofSession(sql`last_seen_at = app_now() - interval '12 hours'`)],
    ['older than seven days', ofSession(sql`created_at = app_now() - interval '7 days'`)],
    ['ended elsewhere', ofSession(sql`ended_at = app_now()`)],
    ['of somebody who was blocked', ofPerson(sql`is_blocked = true`)],
    ['of somebody who was deactivated', ofPerson(sql`is_active = false`)],
    ['of somebody who was deleted', ofPerson(sql`deleted_at = app_now()`)],
  ])('a session that is %s is over at every door', async (_name, change) => {
    const { token, id } = await signedIn()
    await t.database.execute(change(id))
    expect((await me(bearer(token))).status).toBe(401)
    expect((await me({ cookie: `sid=${token}` })).status).toBe(401)
    expect(await refusedUpgrade(t.app.url, { token })).toBe(401)
  })

  test('a session that is used within twelve hours goes on', async () => {
    const { token, id } = await signedIn()
    for (let n = 0; n < 3; n++) {
      await t.sql`update sessions set last_seen_at = app_now() - interval '11 hours 59 minutes'
             where user_id = ${id}`
      expect((await me(bearer(token))).status).toBe(200)
    }
  })

  test.each(['operator', 'supervisor', 'admin'] as const)(
    'three wrong passwords by a stranger notify an %s and end no session',
    async (role) => {
      const { username, token, id } = await signedIn(role)
      const browser = await openTab(t.app, { token, userId: id })
      expect((await me(bearer(token))).body.user.isLoginLocked).toBe(false)
      for (let n = 0; n < 3; n++) await login(username, 'errada')
      await browser.heard('account_changed')
      expect(await me(bearer(token))).toMatchObject({ status: 200, body: { user: { isLoginLocked: true } } })
      expect(await refusedUpgrade(t.app.url, { token })).toBe(undefined)
      expect((await login(username, testPassword)).status).toBe(403)
      expect(browser.isOpen).toBe(true)

      await unblockAccount(t.database, username, 'command')
      await eventually(async () => (await me(bearer(token))).body.user.isLoginLocked, false)
      await eventually(() => browser.frames.filter(({ type }) => type === 'account_changed').length, 2)
      expect((await login(username, testPassword)).status).toBe(200)
      await browser.close()
    },
  )

  test('a block by an administrator ends it, and neither guesses nor unblocking give it back', async () => {
    const { username, token, id } = await signedIn()
    await t.sql`update users set is_blocked = true where id = ${id}`
    for (const status of [401, 401, 403, 403]) expect((await login(username, 'errada')).status).toBe(status)
    expect((await me(bearer(token))).status).toBe(401)
    await unblockAccount(t.database, username, 'command')
    expect((await me(bearer(token))).status).toBe(401)
    expect((await login(username, testPassword)).status).toBe(200)
  })

  test('a new role counts from the next call on', async () => {
    const { token, id } = await signedIn('admin')
    expect((await t.request('GET', '/api/evolution-config', undefined, bearer(token))).status).toBe(200)
    await t.sql`update users set role = 'operator' where id = ${id}`
    expect((await t.request('GET', '/api/evolution-config', undefined, bearer(token))).status).toBe(403)
  })
})

describe('the flags that count', () => {
  const flagsOf = async (role: Role, record?: boolean) => {
    const { username, id } = await newUser(role)
    const flags = Object.fromEntries(allFlags.map((flag) => [flag, record]))
    if (record !== undefined)
      await t.sql`
        insert into user_permissions (user_id, flags) values (${id}, ${JSON.stringify(flags)}::jsonb)`
    return (await login(username, testPassword)).body.user.permissions
  }
  const every = (value: boolean) => Object.fromEntries(allFlags.map((flag) => [flag, value]))

  test('an administrator has all of them, whatever a record says', async () => {
    expect(await flagsOf('admin')).toEqual(every(true))
    expect(await flagsOf('admin', false)).toEqual(every(true))
  })

  test.each(['supervisor', 'operator'] as const)(
    'a %s has those of the record, else those of the role, and never the tracking messages',
    async (role) => {
      const hidden = { canViewTrackingMessages: false }
      expect(await flagsOf(role)).toEqual({ ...defaultFlags(role), ...hidden })
      expect(await flagsOf(role, false)).toEqual(every(false))
      expect(await flagsOf(role, true)).toEqual({ ...every(true), ...hidden })
    },
  )
})

describe('a page of somebody else', () => {
  const foreign: [string, Record<string, string>][] = [
    ['of another site', { origin: 'https://mal.example' }],
    ['on another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['of nowhere', { origin: 'null' }],
    ['with a name that only looks like ours', { origin: 'http://127.0.0.1.mal.example' }],
    ['that hides where it comes from', {}],
    ['that adds a password of its own', { origin: 'https://mal.example', authorization: 'Basic eDp5' }],
    ['that adds half a token', { origin: 'https://mal.example', authorization: 'Bearer nobody has this' }],
    ['that hides behind half a token', { authorization: 'Bearer ?' }],
  ]
  const addresses = ['/api/auth/logout', '/%61pi/auth/logout', '/ap%69/auth/logout']

  test.each(foreign.flatMap(([name, headers]) => addresses.map((path) => [name, path, headers] as const)))(
    '%s cannot use the cookie at %s',
    async (_name, path, headers) => {
      const { token } = await signedIn()
      const answer = await t.request('POST', path, undefined, { ...headers, cookie: `sid=${token}` })
      expect(answer).toMatchObject({ status: 403, body: { code: 'request.cross_origin' } })
      expect((await me(bearer(token))).status).toBe(200)
    },
  )

  test('a page of the console itself can sign out', async () => {
    const { token } = await signedIn()
    const headers = { origin: t.app.url, cookie: `sid=${token}` }
    expect((await t.request('POST', '/api/auth/logout', undefined, headers)).status).toBe(204)
  })

  test('a page of ours by plain HTTP cannot when the request came by HTTPS, one by HTTPS can', async () => {
    const { token } = await signedIn()
    const post = (origin: string, more: Record<string, string>) =>
      t.request('POST', '/api/auth/logout', undefined, { origin, cookie: `sid=${token}`, ...more })
    const byHttps = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.9.9.9' }
    expect((await post(t.app.url, byHttps)).status).toBe(403)
    expect((await post(t.app.url.replace('http:', 'ftp:'), {})).status).toBe(403)
    expect((await post(t.app.url.replace('http:', 'https:'), {})).status).toBe(204)
  })

  test('a page of somebody else cannot sign anybody in', async () => {
    const { username } = await newUser()
    const sessions = await countOf('sessions')
    const answer = await login(username, testPassword, { origin: 'https://mal.example' })
    expect(answer.status).toBe(403)
    expect(await countOf('sessions')).toBe(sessions)
  })
})
