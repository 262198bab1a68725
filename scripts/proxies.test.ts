import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { freePort } from '#server/testing/servers/free-port.ts'
import { projectFolder } from './start-line.ts'

// The examples of proxies, run where these programs are installed, in front of a server that tells what it
// got.

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const isInstalled = (program: string, option: string) => spawnSync(program, [option]).status === 0

const closes: (() => unknown)[] = []
afterEach(async () => {
  for (let close = closes.pop(); close; close = closes.pop()) await close()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-proxy-'))
  // As root nginx works under another account.
  chmodSync(folder, 0o755)
  closes.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stands for Balcão: answers with the headers and the length of the body, and echoes live messages. */
async function startProgram(): Promise<number> {
  const server = createServer((incoming, answer) => {
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => (bytes += chunk.length))
    incoming.on('end', () => answer.end(JSON.stringify({ headers: incoming.headers, bytes })))
  }).listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server, path: '/ws' })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(data))
    // Caddy 2.6, told to end, closes the connections that are open with a frame without a mask. Balcão closes
    // such a connection, too.
    socket.on('error', () => socket.terminate())
  })
  closes.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function startProxy(program: string, args: string[], folder: string): ChildProcess {
  const proxy = spawn(program, args, {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  closes.push(async () => {
    if (proxy.exitCode === null && proxy.signalCode === null) {
      proxy.kill('SIGTERM')
      await once(proxy, 'exit')
    }
  })
  return proxy
}

const host = 'localhost'

interface Proxy {
  port: number
  /** The file of the authority of its certificate. */
  trusted: string
}

async function call({ port, trusted }: Proxy, body: Buffer, headers: Record<string, string> = {}) {
  const options = { host, port, method: 'POST', headers, ca: readFileSync(trusted) }
  const sent = request(options)
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
  const said = await text(answer)
  return answer.statusCode === 200
    ? (JSON.parse(said) as { headers: IncomingHttpHeaders; bytes: number })
    : { status: answer.statusCode, said }
}

async function untilItAnswers(proxy: Proxy): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await call(proxy, Buffer.of()).catch(() => undefined)
    if (answered && 'headers' in answered) return
    await sleep(100)
  }
  throw new Error('the proxy does not answer')
}

/** What Balcão needs of a proxy. */
async function expectPassage(proxy: Proxy): Promise<void> {
  await untilItAnswers(proxy)
  const spoofed = await call(proxy, Buffer.alloc(60 * 1024 * 1024), { 'x-forwarded-for': '203.0.113.7' })
  expect(spoofed).toMatchObject({
    bytes: 60 * 1024 * 1024,
    headers: { 'x-forwarded-proto': 'https', host: expect.stringMatching(/^localhost/) },
  })
  const { headers } = spoofed as { headers: IncomingHttpHeaders }
  const addresses = String(headers['x-forwarded-for']).split(', ')
  // Balcão looks from the right, and takes the first that is no proxy of ours.
  expect(addresses.at(-1)).toMatch(/^(127\.0\.0\.1|::1)$/)
  const socket = new WebSocket(`wss://${host}:${proxy.port}/ws`, ['bearer', 'token'], {
    ca: readFileSync(proxy.trusted),
  })
  closes.push(() => socket.terminate())
  await once(socket, 'open')
  socket.send('olá')
  const [echo] = (await once(socket, 'message')) as [Buffer]
  expect(echo.toString()).toBe('olá')
}

const name = 'atende.exemplo.com.br'

test.skipIf(!isInstalled('nginx', '-v'))(
  'nginx passes calls, large bodies and live connections',
  async () => {
    const [folder, program, http, https] = [
      newFolder(),
      await startProgram(),
      await freePort(),
      await freePort(),
    ]
    const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
    execFileSync(
      'openssl',
      [
        ...`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1`.split(' '),
        ...`-subj /CN=${host} -addext subjectAltName=DNS:${host} -out ${certificate} -keyout ${key}`.split(
          ' ',
        ),
      ],
      { stdio: 'ignore' },
    )
    const example = read('deploy/nginx.conf')
      .replaceAll(`/etc/letsencrypt/live/${name}`, folder)
      .replaceAll(name, host)
      .replace('127.0.0.1:3000', `127.0.0.1:${program}`)
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    )
    const conf = join(folder, 'nginx.conf')
    writeFileSync(
      conf,
      `daemon off; pid ${join(folder, 'pid')}; error_log stderr error; events {}
    http { access_log off; ${temporary.join(' ')}\n${example}\n}`,
    )
    startProxy('nginx', ['-c', conf, '-e', 'stderr'], folder)
    await expectPassage({ port: https, trusted: certificate })
    const plain = await fetch(`http://127.0.0.1:${http}/chat?x=1`, { redirect: 'manual', headers: { host } })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      301,
      expect.stringMatching(/^https:.*\/chat\?x=1$/),
    ])
  },
)

test.skipIf(!isInstalled('caddy', 'version'))(
  'Caddy passes calls, large bodies and live connections',
  async () => {
    const [folder, program, https] = [newFolder(), await startProgram(), await freePort()]
    const example = read('deploy/Caddyfile')
      .replace(`${name} {`, `${host}:${https} {\n\ttls internal`)
      .replace('127.0.0.1:3000', `127.0.0.1:${program}`)
    const conf = join(folder, 'Caddyfile')
    writeFileSync(conf, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${example}`)
    startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', conf], folder)
    await expectPassage({ port: https, trusted: join(folder, 'caddy/pki/authorities/local/root.crt') })
  },
)
