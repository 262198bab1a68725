import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { createLog } from '#server/platform/log.ts'
import { createHttp, type Http } from './http.ts'
import { registerWebPages } from './web-pages.ts'

const webDir = mkdtempSync(join(tmpdir(), 'balcao-pages-'))
writeFileSync(join(webDir, 'index.html'), '<html><head></head><body>console</body></html>')
for (const dir of [webDir, `${webDir}-before`]) mkdirSync(join(dir, 'assets'), { recursive: true })
const write = (path: string, text: string) => writeFileSync(join(webDir, path), text)
write('theme.js', 'theme')
write('assets/chat-1.js', 'chat 1')
write('assets/chat-1.js.br', 'chat 1, compressed')
const running: Http[] = []
let port = 0
let publicPort = 0

const people = [{ username: 'ana', name: 'Ana "B" & <Cia>', role: 'operator' as const }]

async function start(publicUrl?: string): Promise<number> {
  const config = readConfig({ ...(publicUrl && { PUBLIC_URL: publicUrl }) }, false)
  const http = await createHttp({
    config,
    log: createLog('silent'),
    authenticate: async () => undefined,
    onRefused: async () => undefined,
    refresh: async () => undefined,
  })
  await registerWebPages(http.app, {
    webDir,
    isDemo: false,
    publicUrl,
    hasSimulator: false,
    ...(publicUrl && { demoSignIn: () => ({ password: '$&', people }) }),
  })
  await http.app.listen({ port: 0, host: '127.0.0.1' })
  running.push(http)
  return (http.app.server.address() as AddressInfo).port
}

beforeAll(async () => {
  port = await start()
  publicPort = await start('https://atendimento.example')
})
afterAll(async () => {
  for (const { app } of running) await app.close()
  for (const dir of [webDir, `${webDir}-before`]) rmSync(dir, { recursive: true })
})

/** Sends the path as it is; `fetch` would change it. */
function get(
  path: string,
  {
    host,
    at = port,
    accept,
    method = 'GET',
  }: { host?: string; at?: number; accept?: string; method?: string } = {},
) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const call = request(
        {
          port: at,
          host: '127.0.0.1',
          path,
          method,
          headers: { ...(host && { host }), ...(accept && { 'accept-encoding': accept }) },
        },
        (answer) => {
          let body = ''
          answer.on('data', (chunk: Buffer) => (body += chunk.toString()))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
        },
      )
      call.on('error', reject).end()
    },
  )
}

test.each(['/', '/chat?conversation=1', '//', '//[', '//x/y', '/%5B', '/?//['])(
  'the path %s answers with the console',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, body: expect.stringContaining('console') })
  },
)

test.each(['/api/nope', '/ws', '/nope.js', '/metrics/x'])(
  'the path %s does not answer with the console',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('built files are sent as they were compressed, and kept by browsers', async () => {
  const plain = await get('/assets/chat-1.js')
  expect(plain).toMatchObject({ status: 200, body: 'chat 1' })
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.headers['content-type']).toMatch('javascript')
  const compressed = await get('/assets/chat-1.js', { accept: 'gzip, br' })
  expect(compressed).toMatchObject({ status: 200, body: 'chat 1, compressed' })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'br' })
  expect(compressed.headers['content-type']).toMatch('javascript')
  expect(await get('/assets/chat-1.js', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  const theme = await get('/theme.js')
  expect(theme).toMatchObject({ status: 200, body: 'theme', headers: { 'cache-control': 'no-cache' } })
})

test.each([
  '/assets/..',
  '/assets/..%2ftheme.js',
  '/assets/%2e%2e%2findex.html',
  '/assets/',
  '/assets/a//b.js',
])('the path %s leads to no file', async (path) => {
  const { status, body } = await get(path)
  expect(body).not.toBe('theme')
  expect([200, 404]).toContain(status)
  if (status === 200) expect(body).toContain('console')
})

test('after a build, the files of it and of the build before are served without a new start', async () => {
  renameSync(join(webDir, 'assets/chat-1.js'), join(`${webDir}-before`, 'assets/chat-1.js'))
  renameSync(join(webDir, 'assets/chat-1.js.br'), join(`${webDir}-before`, 'assets/chat-1.js.br'))
  write('assets/chat-2.js', 'chat 2')
  const kept = await get('/assets/chat-1.js')
  expect(kept).toMatchObject({ status: 200, body: 'chat 1' })
  expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(await get('/assets/chat-1.js', { accept: 'br' })).toMatchObject({ body: 'chat 1, compressed' })
  expect(await get('/assets/chat-2.js')).toMatchObject({ status: 200, body: 'chat 2' })
  expect((await get('/assets/chat-0.js')).status).toBe(404)
})

test.each([
  ['127.0.0.1:3000', undefined, "connect-src 'self' ws://127.0.0.1:3000 wss://127.0.0.1:3000;"],
  ['balcao.lan', undefined, "connect-src 'self' ws://balcao.lan wss://balcao.lan;"],
  ['[::1]:3000', undefined, "connect-src 'self' ws://[::1]:3000 wss://[::1]:3000;"],
  ['mal.example', 'public', "connect-src 'self' wss://atendimento.example;"],
  ['x;script-src*', undefined, "connect-src 'self';"],
])('a page of the host %s may open sockets to its own server alone', async (host, isPublic, policy) => {
  const { headers } = await get('/', { host, at: isPublic ? publicPort : port })
  expect(headers['content-security-policy']).toContain(policy)
})

test('no page may be framed, and the list of calls is for people who are signed in', async () => {
  expect((await get('/')).headers['x-frame-options']).toBe('DENY')
  expect((await get('/api/docs')).status).toBe(401)
})

test('the people of a demo are in its page, whatever their names', async () => {
  const { body } = await get('/', { at: publicPort })
  const content = /<meta name="balcao-demo-sign-in" content="([^"]*)">/.exec(body)?.[1] ?? ''
  expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual({
    password: '$&',
    people,
  })
  expect((await get('/')).body).not.toContain('demo-sign-in')
})

test('a page of somebody else that passes for us does not get the password of a demo', async () => {
  expect((await get('/', { host: 'mal.example', at: publicPort })).body).not.toContain('demo-sign-in')
})

test('a client from elsewhere gets no password of a demo, whatever its Host header says', async () => {
  const [, demo] = running
  for (const [remoteAddress, host, forwarded] of [
    ['203.0.113.9', '127.0.0.1:3000'],
    ['203.0.113.9', '203.0.113.1:3000'],
    ['::ffff:192.168.0.7', 'localhost:3000'],
    // By a proxy on this machine.
    ['127.0.0.1', 'localhost:3000', '203.0.113.9'],
  ] as const) {
    const headers = { host, ...(forwarded && { 'x-forwarded-for': forwarded }) }
    const answer = await demo?.app.inject({ url: '/', remoteAddress, headers })
    expect(answer?.statusCode).toBe(200)
    expect([remoteAddress, host, answer?.body.includes('demo-sign-in')]).toEqual([remoteAddress, host, false])
  }
  for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(
      (await demo?.app.inject({ url: '/', remoteAddress, headers: { host: 'localhost' } }))?.body,
    ).toContain('demo-sign-in')
})
