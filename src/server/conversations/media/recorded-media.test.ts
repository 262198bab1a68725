import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { type Client, eventually, testApp, type TestApp } from '#server/testing/test-app.ts'
import { spread } from '#server/testing/nightly.ts'

// Every recorded webhook with a file, fetched from a gateway that fails in many ways.

const folder = join(import.meta.dirname, '../../../simulator/payloads')
interface Body {
  data?: { key?: { id: string }; message?: Record<string, unknown> }
}
const kinds = ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage', 'stickerMessage']
const recorded = readdirSync(folder).flatMap((file) => {
  const body = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Body
  const content = body.data?.message ?? {}
  const isFile = file.startsWith('messages.upsert') || file.startsWith('send.message.')
  return isFile && kinds.some((kind) => kind in content) ? [{ name: file.replace('.json', ''), body }] : []
})
const recordedAt = Date.parse('2026-11-20T20:01:00Z')
const mediaMs = 1200

const file = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(20_000, 7),
])
const answer = { mediaType: 'imageMessage', fileName: 'a.png', base64: file.toString('base64') }

type Fault = (response: ServerResponse) => void
const send =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Fault =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
const whole = JSON.stringify(answer)

/** The gateway's failures, one for each try before it works. */
const faults: [string, Fault[]][] = [
  ['at once', []],
  ['after it failed twice', [send(500, '{}'), send(400, '{"response":{"message":["Message not found"]}}')]],
  ['after it hung', [() => undefined]],
  ['after it hung in the middle', [(response) => response.writeHead(200).write(whole.slice(0, 5000))]],
  ['after the line broke', [(response) => (response.write(whole.slice(0, 5000)), response.destroy())]],
  ['after a page of a proxy', [send(200, '<html><h1>502 Bad Gateway</h1></html>')]],
  ['after half of the JSON', [send(200, whole.slice(0, 9000))]],
  ['after no file', [send(200, '{"base64":""}'), send(200, '{}'), send(200, 'null'), send(200, '')]],
  [
    'after other letters',
    [send(200, JSON.stringify({ base64: '😀<script>' })), send(200, '{"base64":"abc"}')],
  ],
  ['after another kind of value', [send(200, '{"base64":{"a":1}}'), send(200, '["base64"]')]],
  ['after bytes of no meaning', [send(200, Buffer.from(file.subarray(0, 4000)))]],
  ['after too much beside the file', [send(200, `{"x":"${'y'.repeat(3_000_000)}"}`)]],
]

let t: TestApp
let ana: Client
let secret: string
let gateway: Server
/** The failures of each message's first tries. */
let plan: Fault[] = []
let isBroken = false
const tries = new Map<string, number>()

beforeAll(async () => {
  const answerCall = async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.includes('getBase64FromMediaMessage'))
      return send(200, '{"instance":{"state":"open"}}')(response)
    const { message } = (await json(request)) as { message: { key: { id: string } } }
    const { id } = message.key
    const n = tries.get(id) ?? 0
    tries.set(id, n + 1)
    const fault = isBroken ? send(500, '{}') : plan[n]
    return fault ? fault(response) : send(201, whole)(response)
  }
  gateway = createServer((request, response) => void answerCall(request, response)).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const offset = Math.round((recordedAt - Date.now()) / 1000)
  t = await testApp(
    {},
    { clockOffset: `${offset} seconds`, gatewayTimes: { mediaMs }, fetchWaitsMs: [20, 20, 20, 20, 20] },
  )
  ana = await t.signIn('admin', 'ana')
  const config = await findConfigByName(t.database, 'loja1')
  secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  const { port } = gateway.address() as AddressInfo
  await t.sql`update evolution_api_config set base_url = ${`http://127.0.0.1:${port}`}`
})
afterAll(async () => {
  await t.close()
  gateway.closeAllConnections()
  gateway.close()
})

beforeEach(async () => {
  for (const table of [
    'webhook_inbox',
    'pending_updates',
    'media_fetches',
    'files',
    'conversations',
    'contacts',
  ])
    await t.sql`delete from ${sql.identifier(table)}`
  tries.clear()
  plan = []
  isBroken = false
})

/** Posts a recorded webhook and waits for its message. */
async function post(body: Body): Promise<{ id: number; conversationId: number }> {
  const { status } = await t.request(
    'POST',
    '/api/webhook/evolution',
    { ...body, instance: 'loja1' },
    { authorization: `Bearer ${secret}` },
  )
  expect(status).toBe(200)
  const [row] = await eventually(
    () =>
      t.sql<{ id: number; conversationId: number }>`
        select id, conversation_id as "conversationId" from messages
             where whatsapp_message_id = ${body.data?.key?.id}`,
    { length: 1 },
  )
  if (!row) throw new Error('no message')
  return row
}
const messageOf = async (conversationId: number, id: number) =>
  (await ana.get<Message[]>(`/api/conversations/${conversationId}/messages`)).find(
    (message) => message.id === id,
  )
const open = (path: string) =>
  fetch(`${t.app.url}${path}`, { headers: { authorization: `Bearer ${ana.token}` } })

test('there are files among what was recorded', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(13)
})

test.each(spread(faults, 2))('every one is shown and opens %s', async (_when, faulty) => {
  plan = faulty
  const each = recorded.map(async ({ name, body }) => {
    const { id, conversationId } = await post(body)
    const message = await eventually(
      () => messageOf(conversationId, id),
      (found) => found?.fileUrl !== null,
      40_000,
    )
    const opened = Buffer.from(await (await open(message?.fileUrl ?? '')).arrayBuffer())
    // A file embedded in the webhook is as good as the gateway's.
    const embedded = body.data?.message?.['base64']
    const isEmbedded = typeof embedded === 'string' && opened.equals(Buffer.from(embedded, 'base64'))
    expect(opened.equals(file) || isEmbedded, name).toBe(true)
    expect(message, name).toMatchObject({ fileSize: opened.length })
    if (embedded === undefined) expect(tries.get(body.data?.key?.id ?? ''), name).toBe(faulty.length + 1)
  })
  await Promise.all(each)
})

test('one that the gateway has not given for long is openable as soon as it does', async () => {
  isBroken = true
  const alone = recorded.filter((one) => one.body.data?.message?.['base64'] === undefined)
  const posted = await Promise.all(alone.map(async (one) => ({ ...one, ...(await post(one.body)) })))
  await eventually(() => t.sql`select 1 from media_fetches`, { length: 0 }, 40_000)
  for (const { name, body, id, conversationId } of posted) {
    isBroken = true
    expect(tries.get(body.data?.key?.id ?? ''), name).toBe(6)
    expect(await messageOf(conversationId, id), name).toMatchObject({ fileUrl: null })
    const refused = await open(`/api/media/evolution/${id}`)
    expect(refused.status, name).toBe(502)
    expect(await refused.json()).toMatchObject({
      message: 'O arquivo não está disponível no momento. Tente novamente.',
    })
    isBroken = false
    expect((await open(`/api/media/evolution/${id}`)).status, name).toBe(200)
    expect((await messageOf(conversationId, id))?.fileUrl, name).not.toBeNull()
  }
})

test('what the webhook brought along is shown though the gateway never gives it', async () => {
  const body = recorded.find(({ name }) => name.endsWith('base64'))?.body ?? {}
  isBroken = true
  const { id, conversationId } = await post(body)
  const message = await eventually(
    () => messageOf(conversationId, id),
    (found) => found?.fileUrl !== null,
  )
  const shown = Buffer.from(await (await open(message?.fileUrl ?? '')).arrayBuffer())
  expect(shown.toString('base64')).toBe(body.data?.message?.['base64'])
})
