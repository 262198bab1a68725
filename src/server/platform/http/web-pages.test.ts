import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  rmSync(webDir, { recursive: true })
})

/** Sends the path as it is; `fetch` would change it. */
function get(path: string, { host, at = port }: { host?: string; at?: number } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const call = request(
        { port: at, host: '127.0.0.1', path, ...(host && { headers: { host } }) },
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
