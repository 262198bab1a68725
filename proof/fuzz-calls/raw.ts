import { connect } from 'node:net'
import type { Random } from '#simulator/random.ts'
import type { Answer } from './judge.ts'

const json = 'content-type: application/json\r\n'
const login = `POST /api/auth/login HTTP/1.1\r\nhost: x\r\n${json}`

/** Requests that are not HTTP, are ambiguous (request smuggling), or never end. */
const attacks: readonly string[] = [
  `${login}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
  `${login}transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
  `${login}transfer-encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
  `${login}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
  `${login}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${login}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `${login}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  `${login}content-length: 100\r\n\r\n{}`,
  `${login}content-length: 1\r\n\r\n{"username":"a","password":"b"}`,
  `${login}content-length: -1\r\n\r\n{}`,
  `${login}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `,
  `${login}content-length: 2147483648\r\n\r\n{}`,
  `${login}content-length: 99999999999999999999\r\n\r\n{}`,
  `${login}content-length: 0x2\r\n\r\n{}`,
  'GET /api/auth/me HTTP/1.1\r\nhost: x\r\nx-folded: a\r\n b\r\n\r\n',
  'GET /api/auth/me HTTP/1.1\nhost: x\n\n',
  'GET /api/auth/me HTTP/1.1\r\n\r\n',
  'GET /api/auth/me HTTP/0.9\r\n\r\n',
  'GET /api/auth/me HTTP/9.9\r\nhost: x\r\n\r\n',
  'GET /api/auth/me\r\n',
  'GET http://evil.example/api/auth/me HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET //evil.example/%2f.. HTTP/1.1\r\nhost: x\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'GÖT /api/auth/me HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /api/auth/me\0 HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /api/auth/me HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  `GET /api/auth/me HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
  `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'GET /api/auth/me HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
  'SSH-2.0-OpenSSH_9\r\n',
  `${login}`,
]

const patienceMs = 400

export const pickAttack = (random: Random) => attacks[Math.floor(random() * attacks.length)] as string

/**
 * Sends one of them and closes the connection after a moment.
 * @returns the answer; undefined if there was none, as for a request without an end
 */
export function attack(port: number, text: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    const patience = setTimeout(() => socket.destroy(), patienceMs)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(parse(Buffer.concat(chunks).toString('latin1')))
    })
  })
}

/** Parses the first answer. Answers to whatever else the peer took for a request are ignored. */
function parse(text: string): Answer | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  if (status === 0) return undefined
  const end = text.indexOf('\r\n\r\n')
  const lines = text.slice(0, end).split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = Number(headers['content-length'] ?? 0)
  return { status, headers, body: text.slice(end + 4, end + 4 + length) }
}
