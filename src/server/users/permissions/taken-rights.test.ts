import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flags } from '#shared/permissions.ts'
import { rows } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { type Client, testApp, type TestApp, withoutJobs } from '#server/testing/test-app.ts'

// What a request may do is asked at its head. If it then waits, rights that are taken meanwhile count no
// more.

let t: TestApp
let chefe: Client
let ana: Client
let id: number

beforeAll(async () => {
  t = await testApp({}, withoutJobs)
  chefe = await t.signIn('admin', 'chefe')
})
afterAll(() => t.close())

/** A new operator with every flag, and a conversation that nobody has. */
async function begin(): Promise<void> {
  ana = await t.signIn('operator')
  const all = Object.fromEntries(flags.map((flag) => [flag, true]))
  await chefe.request('POST', '/api/user-permissions', { userId: ana.userId, flags: all })
  id = (await given.conversation(t, ana)).id
}

const takings: [string, number, () => Promise<unknown>][] = [
  [
    'a flag',
    403,
    () => chefe.request('PUT', `/api/user-permissions/${ana.userId}`, { canEditConversations: false }),
  ],
  ['the role', 401, () => chefe.request('PUT', `/api/users/${ana.userId}`, { role: 'supervisor' })],
  ['the account', 401, () => chefe.request('POST', `/api/users/${ana.userId}/toggle-block`)],
]

const sentBy = async ({ userId }: Client) =>
  rows(t.database, sql`select 1 from messages where sender_id = ${userId} and delivery_status is not null`)

test.each(takings)('who waits for a lock and loses %s is refused with %i', async (_what, status, take) => {
  await begin()
  const client = await t.database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from conversations where id = $1 for update', [id])
  const answering = ana.request('POST', `/api/conversations/${id}/messages`, { content: 'tarde demais' })
  await sleep(200)
  await take()
  await sleep(600)
  await client.query('commit')
  client.release()
  expect(await answering).toMatchObject({ status })
  expect(await sentBy(ana)).toEqual([])
})

test.each(takings)(
  'whose file comes slowly and who loses %s is refused with %i',
  async (_what, status, take) => {
    await begin()
    const files = await rows(t.database, sql`select name from files`)
    const head = '--b\r\ncontent-disposition: form-data; name='
    const form = Buffer.from(
      `${head}"conversationId"\r\n\r\n${id}\r\n${head}"file"; filename="a.txt"\r\n\r\nbom dia\r\n--b--\r\n`,
    )
    const { hostname, port } = new URL(t.app.url)
    const going = request({
      hostname,
      port,
      method: 'POST',
      path: '/api/media/upload',
      headers: {
        authorization: `Bearer ${ana.token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': form.length,
      },
    })
    going.write(form.subarray(0, -20))
    await sleep(200)
    await take()
    await sleep(600)
    going.end(form.subarray(-20))
    const [answer] = (await once(going, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(status)
    expect(await sentBy(ana)).toEqual([])
    expect(await rows(t.database, sql`select name from files`)).toEqual(files)
  },
)

test('who waits and keeps his rights is served', async () => {
  await begin()
  const client = await t.database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from conversations where id = $1 for update', [id])
  const answering = ana.request('POST', `/api/conversations/${id}/messages`, { content: 'bom dia' })
  await sleep(700)
  await client.query('commit')
  client.release()
  expect(await answering).toMatchObject({ status: 201 })
})
