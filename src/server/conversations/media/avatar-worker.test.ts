import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { createGateway } from '#server/gateway/gateway.ts'
import { sweepFiles } from '#server/media/media.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { hostileFiles } from '#server/testing/inputs/hostile-files.ts'
import { colourPng } from '#simulator/gateway/png.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, every, forAllTests, not, testApp, type TestApp } from '#server/testing/test-app.ts'
import { type AvatarTimes, startAvatarWorker } from './avatar-worker.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const quick: AvatarTimes = { pollMs: 20, pauseMs: 0, retryMs: 60_000 }
const log = createLog('silent')
const png = colourPng(8, 8, () => [10, 90, 80])
const otherPng = colourPng(8, 8, () => [200, 90, 80])

let people = 0
/** A new conversation. By the last digit of the number the simulator shows a picture, or none for 0. */
async function talk(lastDigit = 1): Promise<Conversation> {
  people += 1
  return (await newTalk(t, ana, `551194${String(people).padStart(6, '0')}${lastDigit}`)).conversation
}
const contactOf = (id: number) => ana.get<Contact>(`/api/contacts/${id}`)
const dueInHours = async (id: number) => {
  const [row] = await t.sql<{ dueInHours: number | null }>`
    select extract(epoch from avatar_updated_at + interval '7 days' - app_now()) / 3600 as "dueInHours"
         from contacts where id = ${id}`
  return row?.dueInHours === null ? null : Number(row?.dueInHours)
}
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${t.app.url}${path}`, { headers: { authorization: `Bearer ${ana.token}`, ...headers } })

type Pictures = Pick<TestApp['app']['gateway'], 'fetchPicture'>
/** The worker with the app's own gateway, or with another one. */
const start = (gateway: Pictures = t.app.gateway, database: Database = t.database) =>
  startAvatarWorker({ database, gateway, files: t.app.files, log }, quick)
const giving = (bytes: Buffer | undefined): Pictures => ({
  async fetchPicture(_db, _instanceId, _number, take) {
    return (
      bytes &&
      take(
        (async function* () {
          yield bytes
        })(),
      )
    )
  },
})
/** Gives the contact a picture that is due. @returns its address */
async function nextPicture(contactId: number, bytes: Buffer): Promise<string> {
  const before = (await contactOf(contactId)).avatarUrl
  await t.sql`update contacts set avatar_updated_at = null where id = ${contactId}`
  const worker = start(giving(bytes))
  const { avatarUrl } = await eventually(() => contactOf(contactId), { avatarUrl: not(before) })
  await worker.stop()
  return avatarUrl ?? ''
}
/** Leaves no contact of an earlier test due. */
beforeEach(() => t.sql`update contacts set avatar_updated_at = app_now()`)

test('a client’s picture is fetched, stored, pushed to every tab and served', async () => {
  const { id, contactId, version } = await talk()
  const tab = await connectLive(t.app.url, { token: ana.token })
  const worker = start()
  const heard = await tab.heard(
    'conversation_updated',
    ({ data }) => data.conversationId === id && data.conversation.contact.avatarUrl !== null,
  )
  await worker.stop()
  await tab.close()
  const { avatarUrl, updatedAt, createdAt } = await contactOf(contactId)
  expect(avatarUrl).toMatch(new RegExp(`^/api/contacts/${contactId}/avatar\\?v=[\\w-]{32}$`))
  expect(heard.data.conversation).toMatchObject({ version, contact: { avatarUrl } })
  expect(updatedAt).toBe(createdAt)
  const answer = await get(avatarUrl ?? '')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, bytes.subarray(1, 4).toString()]).toEqual([200, 'PNG'])
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
  })
  expect(headers['content-security-policy']).toContain('sandbox')
  const old = await get(`/api/contacts/${contactId}/avatar?v=outra`)
  expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  // It is no file of a message, and goes to nobody without a session.
  expect((await get(`/api/media/files/${avatarUrl?.split('?v=')[1]}`)).status).toBe(404)
  expect((await fetch(`${t.app.url}${avatarUrl}`)).status).toBe(401)
})

test('a hidden picture of a client is not asked for again for a week', async () => {
  const { contactId } = await talk(0)
  const worker = start()
  const hours = await eventually(
    () => dueInHours(contactId),
    (left) => left !== null && left > 160,
  )
  await worker.stop()
  expect([hours && Math.round(hours), (await contactOf(contactId)).avatarUrl]).toEqual([168, null])
})

test('a client’s picture is refreshed after a week', async () => {
  const { contactId } = await talk()
  const step = async (bytes: Buffer | undefined) => {
    await t.sql`update contacts set avatar_updated_at = app_now() - interval '8 days' where id = ${contactId}`
    const worker = start(giving(bytes))
    await eventually(
      () => dueInHours(contactId),
      (left) => left !== null && left > 160,
    )
    await worker.stop()
    return (await contactOf(contactId)).avatarUrl
  }
  const first = await step(png)
  expect(await step(png)).toBe(first)
  const second = await step(otherPng)
  expect(second).not.toBe(first)
  expect(await step(undefined)).toBeNull()
  expect((await get(`/api/contacts/${contactId}/avatar`)).status).toBe(404)
})

test('no picture is fetched of a client without an open conversation', async () => {
  const [ended, blocked] = [await talk(), await talk()]
  await ana.request('POST', `/api/conversations/${ended.id}/finalize`, {})
  await t.sql`update contacts set is_blocked = true where id = ${blocked.contactId}`
  await t.sql`update contacts set avatar_updated_at = null
         where id in (${ended.contactId}, ${blocked.contactId})`
  const worker = start()
  await new Promise((resolve) => setTimeout(resolve, 200))
  await worker.stop()
  expect([await dueInHours(ended.contactId), await dueInHours(blocked.contactId)]).toEqual([null, null])
})

test('a client’s picture stays when files are swept, and the one before it goes', async () => {
  const { contactId } = await talk()
  const nameOf = async (bytes: Buffer) => (await nextPicture(contactId, bytes)).split('?v=')[1] ?? ''
  const [first, second] = [await nameOf(png), await nameOf(otherPng)]
  await t.sql`update files set created_at = created_at - interval '2 days'`
  await sweepFiles(t.database, t.app.files)
  const left = await t.sql<{ name: string }>`select name from files`
  const names = left.map(({ name }) => name)
  expect([names.includes(first), names.includes(second)]).toEqual([false, true])
  expect([await t.app.files.read(first), (await get(`/api/contacts/${contactId}/avatar`)).status]).toEqual([
    undefined,
    200,
  ])
})

const hex = (value: number) => value.toString(16).padStart(4, '0')
const jpegOf = (width: number, height: number) =>
  Buffer.from(`ffd8ffe000104a46494600010100000100010000ffc0001108${hex(height)}${hex(width)}03012200`, 'hex')
const bad = {
  ...hostileFiles,
  'more than a megabyte': Buffer.concat([png, Buffer.alloc(1_100_000)]),
  'a PNG of nothing': png.subarray(0, 20),
  'a GIF': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'a JPEG as wide as a house': jpegOf(60_000, 10),
  'a JPEG of nothing': jpegOf(0, 10),
  nothing: Buffer.alloc(0),
}

test('a file that is no picture is not stored, and asked for again after hours', async () => {
  const { contactId } = await talk()
  for (const [what, bytes] of Object.entries(bad)) {
    await t.sql`update contacts set avatar_updated_at = null where id = ${contactId}`
    let asked = 0
    const { fetchPicture } = giving(bytes)
    const worker = start({ fetchPicture: (...call) => (asked++, fetchPicture(...call)) })
    // Due in a minute: the wait after a failure, and not the lease of five minutes.
    await eventually(
      () => dueInHours(contactId),
      (left) => left !== null && left < 0.02 && left > 0.01,
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    await worker.stop()
    expect([what, asked, (await contactOf(contactId)).avatarUrl]).toEqual([what, 1, null])
  }
  const kept = await t.sql`select 1 from files where created_at > now() - interval '1 hour'`
  expect(kept.length).toBeLessThan(8)
})

test('a JPEG is accepted as the picture of a client', async () => {
  const { contactId } = await talk()
  const url = await nextPicture(contactId, jpegOf(640, 640))
  expect((await get(url)).headers.get('content-type')).toBe('image/jpeg')
})

describe('the address of a picture', () => {
  /** The gateway names any address. The trap must never be called. */
  let gateway: Server
  let trap: Server
  let answer: RequestListener
  let trapped = 0
  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  beforeEach(async () => {
    trapped = 0
    gateway = createServer((request, response) => answer(request, response))
    trap = createServer((_request, response) => {
      trapped++
      response.end(png)
    })
    await Promise.all([listen(gateway), listen(trap)])
  })
  afterEach(async () => {
    gateway.closeAllConnections()
    await Promise.all([gateway, trap].map((server) => new Promise((resolve) => server.close(resolve))))
  })

  /** Fetches a picture through that gateway. @returns its bytes, or the error's message */
  const ask = async () => {
    const outgoing = createOutgoingHttp(['127.0.0.1'])
    const baseUrl = `http://127.0.0.1:${portOf(gateway)}`
    await t.sql`update evolution_api_config set base_url = ${baseUrl} where id = ${t.instanceId}`
    try {
      const through = createGateway(outgoing, t.app.secrets)
      return await through
        .fetchPicture(t.database, t.instanceId, '5511940000001', async (bytes) => {
          const chunks: Buffer[] = []
          for await (const chunk of bytes) chunks.push(chunk)
          return Buffer.concat(chunks)
        })
        .catch((error: unknown) => (error instanceof Error ? error.message : 'unknown'))
    } finally {
      await outgoing.close()
      await t.sql`update evolution_api_config set base_url = ${t.simulator.url} where id = ${t.instanceId}`
    }
  }
  const names =
    (url: () => unknown): RequestListener =>
    (request, response) => {
      if (request.method === 'GET') return void response.end(png)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ wuid: 'x', profilePictureUrl: url() }))
    }

  test('the address of a picture may be the gateway’s own', async () => {
    answer = names(() => `http://127.0.0.1:${portOf(gateway)}/foto.png`)
    expect(await ask()).toEqual(png)
  })

  test.each([
    ['another port of an allowed machine', () => `http://127.0.0.1:${portOf(trap)}/`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['a machine inside', () => 'http://192.168.0.1/foto.jpg'],
    ['somebody else in the world', () => 'https://example.com/foto.jpg'],
    ['WhatsApp without encryption', () => 'http://pps.whatsapp.net/foto.jpg'],
    ['a name that ends as WhatsApp’s', () => 'https://evilwhatsapp.net/foto.jpg'],
    ['a name before another', () => 'https://pps.whatsapp.net@127.0.0.1:1/foto.jpg'],
    ['a file', () => 'file:///etc/passwd'],
    ['data', () => 'data:image/png;base64,AAAA'],
    ['nonsense', () => 'http://'],
  ])('the address of a picture is not asked when it is %s', async (_what, url) => {
    answer = names(url)
    expect(await ask()).toBe('the picture lies at an address that is not asked')
    expect(trapped).toBe(0)
  })

  test.each([301, 302, 307, 308])(
    'the address of a picture that redirects by %i is not followed',
    async (status) => {
      answer = (request, response) => {
        if (request.method !== 'GET')
          return names(() => `http://127.0.0.1:${portOf(gateway)}/foto`)(request, response)
        response.writeHead(status, { location: `http://127.0.0.1:${portOf(trap)}/` }).end()
      }
      expect(await ask()).toBe(`the picture's address answered ${status}`)
      expect(trapped).toBe(0)
    },
  )

  test('a missing picture and an error of the gateway are distinguished', async () => {
    answer = names(() => null)
    expect(await ask()).toBeUndefined()
    answer = (_request, response) => void response.writeHead(500).end('{}')
    expect(await ask()).toContain('fetchProfilePictureUrl answered')
  })
})

test('two instances ask for each picture once', async () => {
  const talks = await Promise.all(Array.from({ length: 8 }, () => talk()))
  await t.sql`update contacts set avatar_updated_at = null, avatar_url = null where id in (${sql.join(
    talks.map(({ contactId }) => sql`${contactId}`),
    sql`, `,
  )})`
  const asked: string[] = []
  const counted: Pictures = {
    async fetchPicture(...call) {
      asked.push(call[2])
      await new Promise((resolve) => setTimeout(resolve, 20))
      return giving(png).fetchPicture(...call)
    },
  }
  const workers = [start(counted), start(counted, t.openAgain()), start(counted, t.openAgain())]
  await eventually(
    () => Promise.all(talks.map(({ contactId }) => contactOf(contactId))),
    every({ avatarUrl: not(null) }),
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  expect(asked.toSorted()).toEqual(talks.map(({ contact }) => `${contact.phone}@s.whatsapp.net`).toSorted())
})
