import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { type Flags, flags } from '#shared/permissions.ts'
import permissionTable from '#shared/permissions.json' with { type: 'json' }
import { userPermissions } from '#server/schema/users.ts'
import { allCalls } from '#server/testing/calls.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// A body costs nothing before its sender is known, and no more than its call needs afterwards.

/** An operator from whom every flag was taken. */

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))
const powerless = forAllTests(() => t.signIn('operator'))

beforeAll(async () => {
  const allOff = Object.fromEntries(flags.map((flag) => [flag, false])) as Flags
  await t.database.insert(userPermissions).values({ userId: powerless.userId, flags: allOff })
})

const calls = (await allCalls()).filter(({ method }) => method !== 'GET')
const publicCalls = new Set(['POST /api/auth/login'])
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const cases = calls.map((call) => [nameOf(call), call] as const)
const [shortBytes, longBytes] = [16_384, 1_048_576]

/** Announces a body of which only the first part comes. @returns the answer */
async function announce(
  { method, path }: { method: string; path: string },
  length: number,
  { token, part = '{' }: { token?: string; part?: string } = {},
): Promise<{ status: number; isClosed: boolean }> {
  const { hostname, port } = new URL(t.app.url)
  const call = request({
    hostname,
    port,
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
  const { hostname, port } = new URL(t.app.url)
  const call = request({
    hostname,
    port,
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
