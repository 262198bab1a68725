import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { connectLive, type LiveClient, openTab } from '#server/testing/live-client.ts'
import { above, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import type { Who } from '#server/platform/http/access.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { LiveSocket } from './live-socket.ts'

const open: Socket[] = []

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))

const key = 'AAAAAAAAAAAAAAAAAAAAAA=='

/** A peer that can violate the protocol, byte by byte. */
interface RawPeer {
  socket: Socket
  /** The server's close code, or 1006 without one. */
  closed: Promise<number>
  write(...parts: Buffer[]): void
}

/** A client frame, with a mask of zeros. */
function frame(opcode: number, isLast: boolean, payload: Buffer): Buffer {
  const { length } = payload
  const long = length > 125
  const head = Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | (long ? 126 : length)])
  const extended = Buffer.alloc(long ? 2 : 0)
  if (long) extended.writeUInt16BE(length)
  return Buffer.concat([head, extended, Buffer.alloc(4), payload])
}

/** The close code of the server's last frame. */
function closeCodeIn(heard: Buffer): number {
  let code = 1006
  const head = heard.indexOf('\r\n\r\n')
  let at = head < 0 ? heard.length : head + 4
  while (at + 2 <= heard.length) {
    const [first = 0, second = 0] = heard.subarray(at, at + 2)
    const lengthBytes = { 126: 2, 127: 8 }[second] ?? 0
    const length =
      lengthBytes === 0
        ? second
        : heard.readUIntBE(at + 2 + Math.max(0, lengthBytes - 6), Math.min(6, lengthBytes))
    const start = at + 2 + lengthBytes
    if ((first & 0x0f) === 8 && length >= 2) code = heard.readUInt16BE(start)
    at = start + length
  }
  return code
}

async function upgradeRaw(port: number, token: string): Promise<RawPeer> {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => undefined)
  let heard = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk])
    if (closeCodeIn(heard) !== 1006) socket.end()
  })
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n` +
      `Sec-WebSocket-Protocol: bearer, ${token}\r\n\r\n`,
  )
  const closed = once(socket, 'close').then(() => closeCodeIn(heard))
  await eventually(() => heard.includes('\r\n\r\n'), true)
  return { socket, closed, write: (...parts) => void socket.write(Buffer.concat(parts)) }
}

async function withoutHarm<T>(work: (other: LiveClient) => Promise<T>): Promise<T> {
  const other = await openTab(t.app, ana)
  const result = await work(other)
  const before = other.frames.length
  await inTransaction(t.database, async (db) => db.emit({ type: 'settings_changed' }))
  await eventually(() => other.frames.length, above(before))
  await other.close()
  return result
}

describe('frames that no browser sends', () => {
  const text = (length: number) => Buffer.alloc(length, 'x')
  const hostile: [string, number, Buffer[]][] = [
    ['one above 64 KiB by its length alone', 1009, [Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 1])]],
    ['one of two to the 62nd bytes', 1009, [Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0])]],
    [
      'pieces that together are above 64 KiB',
      1009,
      [frame(1, false, text(60_000)), frame(0, false, text(60_000))],
    ],
    [
      'pieces without an end',
      1008,
      [frame(1, false, text(1)), ...Array.from({ length: 50 }, () => frame(0, false, text(1)))],
    ],
    [
      'empty pieces without an end',
      1008,
      [frame(1, false, text(0)), ...Array.from({ length: 50 }, () => frame(0, false, text(0)))],
    ],
    ['a piece of nothing', 1002, [frame(0, true, text(1))]],
    ['a second beginning', 1002, [frame(1, false, text(1)), frame(1, true, text(1))]],
    ['one without a mask', 1002, [Buffer.from([0x81, 0x01, 0x61])]],
    ['one that claims to be compressed', 1002, [Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x61])]],
    ['an opcode that does not exist', 1002, [frame(3, true, text(1))]],
    ['a ping above 125 bytes', 1002, [frame(9, true, text(126))]],
    ['letters that are none', 1007, [frame(1, true, Buffer.from([0xff, 0xfe]))]],
    [
      'sixty frames of bytes and of nonsense',
      4429,
      Array.from({ length: 60 }, (_, n) => frame((n % 2) + 1, true, text(4))),
    ],
    [
      'a thousand good ones at once',
      4429,
      Array.from({ length: 1000 }, () => frame(1, true, Buffer.from('{"type":"active","data":{}}'))),
    ],
  ]

  test.each(hostile)(
    '%s: the socket is closed with %i, and nobody else notices',
    async (_name, code, parts) => {
      await withoutHarm(async () => {
        const peer = await upgradeRaw(t.app.port, ana.token)
        peer.write(...parts)
        expect(await peer.closed).toBe(code)
      })
    },
  )

  test('frames of the server’s types are counted, and no good one is', async () => {
    const counted = async () =>
      Number(
        /^balcao_socket_frames_refused_total (\d+)/m.exec(
          await (await fetch(`${t.app.url}/metrics`)).text(),
        )?.[1] ?? Number.NaN,
      )
    const client = await connectLive(t.app.url, { token: ana.token })
    await client.heard('hello')
    const before = await counted()
    client.send({ type: 'authenticate', data: { userId: ana.userId } })
    for (const type of ['message_received', 'stats_update', 'hello']) client.send({ type, data: {} })
    client.send({ type: 'active', data: {} })
    await eventually(counted, before + 3)
    await client.close()
  })
})

test('a socket that names another person is audited, each time', async () => {
  const chefe = await t.signIn('admin', 'chefe')
  for (const userId of [chefe.userId, `${chefe.userId}`]) {
    const client = await connectLive(t.app.url, { token: ana.token })
    client.send({ type: 'authenticate', data: { userId } })
    expect((await client.closed).code).toBe(4403)
  }
  const written = () =>
    t.sql<{ userId: number; named: string | null }>`
      select user_id as "userId", resource_id as named from audit_logs
           where action = 'auth.other_user' order by id`
  const found = await eventually(written, { length: 2 })
  expect(found).toEqual([
    { userId: ana.userId, named: String(chefe.userId) },
    { userId: ana.userId, named: null },
  ])
})

test('a refused connection that is kept half open is cut off', async () => {
  const socket = connect({ port: t.app.port, host: '127.0.0.1', allowHalfOpen: true })
  open.push(socket)
  socket.resume()
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await once(socket, 'end')
  // Writing to a closed connection fails.
  const failed = once(socket, 'error').catch((error: unknown) => [error])
  await eventually(
    () => {
      if (!socket.destroyed) socket.write('x')
      return socket.destroyed
    },
    (isGone) => isGone,
  )
  await failed
})

test('stopping waits neither for one that asks nothing nor for one that asks half a question', async () => {
  const app = await testApp()
  const silent = connect(app.app.port, '127.0.0.1')
  const half = connect(app.app.port, '127.0.0.1')
  for (const socket of [silent, half]) {
    open.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
  }
  half.write('GET /ws HTTP/1.1\r\nHost: 127')
  await fetch(`${app.app.url}/healthz`)
  await app.close()
  await eventually(() => silent.closed && half.closed, true)
})

describe('a peer of which every byte is known', () => {
  /** Our own socket and a peer that writes raw bytes. */
  async function pair() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 64 * 1024 })
    await once(server, 'listening')
    const accepted = once(server, 'connection')
    const { port } = server.address() as { port: number }
    const peer = await upgradeRaw(port, 'x')
    const [ws, request] = (await accepted) as [never, { socket: Socket }]
    const duplex = request.socket
    const socket = new LiveSocket({ ws, duplex, who: {} as Who, epoch: 'e', id: 'i' })
    const arrived = async (parts: Buffer[]) => {
      const before = duplex.bytesRead
      const bytes = Buffer.concat(parts)
      peer.write(bytes)
      await eventually(() => duplex.bytesRead - before, bytes.length)
      await nextTurn()
    }
    return { socket, peer, arrived, close: () => server.close() }
  }
  const pong = frame(10, true, Buffer.alloc(0))

  test.each([
    ['a piece that is never continued', [frame(1, false, Buffer.from('abc'))]],
    ['a frame of which half is sent', [frame(1, true, Buffer.alloc(100)).subarray(0, 40)]],
  ])('%s ends the socket at the second question, however well it answers', async (_name, parts) => {
    const { socket, peer, arrived, close } = await pair()
    const isHalfFrame = parts.length === 1 && (parts[0]?.[0] ?? 0) === 0x81
    await arrived(parts)
    socket.ping()
    // Within a frame no pong can be answered.
    if (!isHalfFrame) await arrived([pong])
    expect(peer.socket.destroyed).toBe(false)
    socket.ping()
    expect(await peer.closed).toBe(1006)
    close()
  })

  test('a peer that never reads is closed with 4408 after a megabyte', async () => {
    const { socket, peer, close } = await pair()
    peer.socket.pause()
    socket.greet({ type: 'settings_changed', data: {} }, 'c')
    const text = JSON.stringify('x'.repeat(100_000))
    const delivery = { event: { type: 'settings_changed', data: {} } as const, mayRead: () => true }
    const big = { seq: '1', deliveries: [{ delivery, json: text }] }
    for (let n = 0; n < 400; n++) socket.sendEvents([big], 'c')
    peer.socket.resume()
    expect(await peer.closed).toBe(4408)
    close()
  })

  test('whole messages, pings and pongs, in pieces or not, keep it alive', async () => {
    const { socket, peer, arrived, close } = await pair()
    const message = Buffer.from('{"type":"active","data":{}}')
    for (let round = 0; round < 4; round++) {
      await arrived([frame(1, true, message), pong])
      await arrived([frame(1, false, message.subarray(0, 5)), pong, frame(0, true, message.subarray(5))])
      await arrived([frame(9, true, Buffer.from('ping')), frame(1, true, message)])
      socket.ping()
    }
    expect(peer.socket.destroyed).toBe(false)
    close()
  })
})
