import { someone } from '#server/testing/plain-who.ts'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { getContactAvatar } from '#shared/contacts/contacts.ts'
import { errorBody } from '#shared/errors.ts'
import { login as loginCall, logout } from '#shared/users/users.ts'
import { uploadMedia } from '#shared/messages/media.ts'
import { readConfig } from '#server/platform/config.ts'
import { createLog } from '#server/platform/log.ts'
import type { Who } from './access.ts'
import { createHttp, type Http } from './http.ts'
import { usualBodyTimes } from './bodies/slow-bodies.ts'

let http: Http
let url: string
let port: number

beforeAll(async () => {
  const config = readConfig({}, false)
  http = await createHttp({
    config,
    log: createLog('silent'),
    refresh: async (who) => now(who),
    authenticate: async ({ headers }) =>
      headers.authorization === 'Bearer somebody' ? { ...someone } : undefined,
    onRefused: async () => undefined,
    bodyTimes: { wholeMs: 400, stalledMs: 1000 },
  })
  http.route(loginCall, () => {
    throw new Error('nothing of this may come so far')
  })
  http.route(logout, async () => undefined)
  http.routeByRow(uploadMedia, async ({ request, reply, permit }) => {
    permit('POST /api/media/upload')
    const part = await request.file()
    const bytes = Buffer.concat((await part?.file.toArray()) ?? [])
    return () => reply.code(201).serializer(JSON.stringify).send({ bytes: bytes.length })
  })
  http.route(getContactAvatar, async ({ who, reply }) => {
    await sleep(700)
    return () => reply.send({ canUploadMedia: who.flags.canUploadMedia })
  })
  http.app.get('/healthz', () => ({ status: 'ok' }))
  await http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (http.app.server.address() as AddressInfo).port
  url = `http://127.0.0.1:${port}`
})
afterAll(() => http.app.close())

/** What is found when it is asked again whether somebody is still who they were. */
let now: (who: Who) => Who | undefined = (who) => who

describe('an answer that takes long', () => {
  const ask = () => fetch(`${url}/api/contacts/1/avatar`, { headers: { authorization: 'Bearer somebody' } })

  test('a slow answer shows what the person may see by then', async () => {
    now = (who) => ({ ...who, flags: { ...who.flags, canUploadMedia: false } })
    expect(await (await ask()).json()).toEqual({ canUploadMedia: false })
    now = (who) => who
    expect(await (await ask()).json()).toEqual({ canUploadMedia: true })
  })

  test('a slow answer is none for who is signed in no more', async () => {
    now = () => undefined
    expect((await ask()).status).toBe(401)
    now = (who) => who
  })
})

const strictError = z.strictObject(errorBody.shape)
const wantedHeaders = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cache-control',
]

/** Sends bytes and reads until the server has answered or closes the connection. */
async function raw(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
}

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

describe('a body that is', () => {
  const good = '{"username":"a","password":"b"}'
  test.each<[string, number, string | Buffer, Record<string, string>]>([
    ['one byte too long', 413, `{"username":"${'x'.repeat(16_385 - 15)}"}`, {}],
    ['eight thousand levels deep', 400, '['.repeat(8000) + ']'.repeat(8000), {}],
    ['two thousand levels deep in objects', 400, '{"a":'.repeat(2000) + '1' + '}'.repeat(2000), {}],
    ['a thousand keys', 400, `{${Array.from({ length: 1000 }, (_, n) => `"k${n}":1`).join(',')}}`, {}],
    ['eight thousand items', 400, `[${'1,'.repeat(8000)}1]`, {}],
    ['packed, which nobody unpacks', 400, gzipSync(good), { 'content-encoding': 'gzip' }],
    ['text', 415, good, { 'content-type': 'text/plain' }],
    ['a form', 415, 'username=a&password=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    [
      'in UTF-16 by its own words',
      400,
      Buffer.from(good, 'utf16le'),
      { 'content-type': 'application/json; charset=utf-16' },
    ],
    ['an own prototype', 400, '{"username":"a","password":"b","__proto__":{"polluted":1}}', {}],
    ['a constructor', 400, '{"username":"a","password":"b","constructor":{"prototype":{"polluted":1}}}', {}],
    ['cut off', 400, good.slice(0, -1), {}],
    ['empty', 400, '', {}],
  ])('%s is refused with %i and no detail', async (_name, status, body, headers) => {
    const answer = await post(body, headers)
    expect(answer.status).toBe(status)
    expect(strictError.safeParse(await answer.json()).success).toBe(true)
    for (const name of wantedHeaders) expect(answer.headers.get(name)).not.toBeNull()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('what is no request', () => {
  const login = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  test.each([
    ['two lengths', 400, `${login}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `],
    ['a length and chunks', 400, `${login}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', 400, `${login}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', 400, `${login}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['an expectation that nobody knows', 417, `${login}content-length: 2\r\nexpect: 200-ok\r\n\r\n{}`],
    ['a length below nothing', 400, `${login}content-length: -1\r\n\r\n{}`],
    [
      'a chunk larger than anything',
      400,
      `${login}transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a folded header that begins a line', 400, 'GET /api/auth/me HTTP/1.1\r\n host: x\r\n\r\n'],
    ['bare line ends', 400, 'GET /api/auth/me HTTP/1.1\nhost: x\n\n'],
    ['a header without end', 431, `GET /api/auth/me HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['another protocol', 400, 'SSH-2.0-OpenSSH_9\r\n'],
  ])('%s: %i in our words, and the connection ends', async (_name, status, bytes) => {
    const answer = await raw(bytes)
    expect(answer.status).toBe(status)
    expect(strictError.parse(JSON.parse(answer.body))).toMatchObject({ code: 'request.invalid' })
    for (const name of wantedHeaders) expect(answer.head).toContain(`${name}:`)
  })

  test.each(['/%zz', '/api/%', '/api/%c0%ae', `/api/conversations/${'9'.repeat(600)}`])(
    'the address %s is one that we do not have, and is not repeated',
    async (path) => {
      const answer = await fetch(`${url}${path}`)
      expect(answer.status).toBe(404)
      for (const name of wantedHeaders) expect(answer.headers.get(name)).not.toBeNull()
      expect(await answer.json()).toEqual({ code: 'request.not_found', message: 'Recurso não encontrado' })
    },
  )

  test.each(['TRACE', 'PROPFIND', 'QUERY'])('the method %s reaches nothing', async (method) => {
    const answer = await raw(`${method} /api/auth/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect([400, 404]).toContain(answer.status)
  })

  test.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'a method in %s is no method',
    async (name) => {
      const answer = await fetch(`${url}/api/auth/logout`, { headers: { [name]: 'POST' } })
      expect(answer.status).toBe(404)
    },
  )
})

test('a head, a body or chunks that arrive byte by byte are cut off, and others are served', async () => {
  const { server } = http.app
  const usual = { headersTimeout: server.headersTimeout, requestTimeout: server.requestTimeout }
  expect(usual).toEqual({ headersTimeout: 20_000, requestTimeout: 1_800_000 })
  expect(usualBodyTimes).toEqual({ wholeMs: 120_000, stalledMs: 30_000 })
  const start = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const beginnings = [
    'GET /api/auth/me HTTP/1.1\r\nhost: x\r\nx-slow: ',
    `${start}content-length: 30\r\n\r\n{`,
    `${start}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
  ]
  // A shorter limit for the test.
  Object.assign(server, { headersTimeout: 200 })
  try {
    const slow = Array.from({ length: 60 }, (_, n) => raw(beginnings[n % 3] ?? ''))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(408)
  } finally {
    Object.assign(server, usual)
  }
})

describe('a file', () => {
  const part = (boundary: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  const end = (boundary: string) => `\r\n--${boundary}--\r\n`
  const head = (length: number) =>
    [
      'POST /api/media/upload HTTP/1.1',
      'host: x',
      'connection: close',
      'authorization: Bearer somebody',
      'content-type: multipart/form-data; boundary=b',
      `content-length: ${length}`,
      '\r\n',
    ].join('\r\n')

  /** One byte every 100 ms. */
  async function drip(bytes: number, isWhole: boolean): Promise<number> {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    socket.write(head(part('b').length + bytes + end('b').length) + part('b'))
    for (let n = 0; n < (isWhole ? bytes : bytes / 2); n++) {
      await sleep(100)
      socket.write('x')
    }
    if (isWhole) socket.write(end('b'))
    await closed
    return Number(Buffer.concat(chunks).toString('utf8').split(' ')[1])
  }

  test('may come slower than any other body, as long as something comes', async () => {
    expect(await drip(12, true)).toBe(201)
  })

  test('a file that stops coming is hung up on', async () => {
    expect(await drip(6, false)).toBe(408)
  })
})
