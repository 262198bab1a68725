import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { createOutgoingHttp, type OutgoingCall, type OutgoingHttp } from './outgoing-http.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function outgoing(...allowed: string[]): OutgoingHttp {
  const http = createOutgoingHttp(allowed)
  closing.push(() => http.close())
  return http
}

/** A local server that counts its requests. */
async function trap(
  listener: RequestListener,
): Promise<{ port: number; visits: () => number; seen: string[] }> {
  let visits = 0
  const seen: string[] = []
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`)
    listener(request, response)
  })
  server.on('connection', () => visits++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, visits: () => visits, seen }
}

const call = (url: string, more: Partial<OutgoingCall> = {}): OutgoingCall => ({
  method: 'GET',
  url,
  timeoutMs: 5000,
  maxBytes: 10_000,
  ...more,
})

/** Whether the error is our refusal, however deeply the client wrapped it. */
const isRefusal = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof AppError) return at.code === 'gateway.address_refused' && at.status === 422
  return false
}

/** Whether the call is refused by us. */
const isRefused = (http: OutgoingHttp, url: string) => http.fetchJson(call(url)).then(() => false, isRefusal)

const refused = `
  127.0.0.1 127.1 127.0.1 127.255.255.254 0x7f.1 0x7f000001 0177.0.0.1 2130706433 017700000001 127.0.0.1.
  １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1 localhost localhost. LOCALHOST [::1] [0:0:0:0:0:0:0:1]
  [::ffff:7f00:1] [::ffff:127.0.0.1] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1]
  [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] 0 0.0.0.0 [::] 10.0.0.1 10.255.255.255 172.16.0.1
  172.31.255.255 192.168.0.1 3232235521 100.64.0.1 100.127.255.255 169.254.169.254 0xa9fea9fe
  [::ffff:169.254.169.254] [fd00:ec2::254] [fc00::1] [fe80::1] [fec0::1] 192.0.0.1 192.0.2.1 198.18.0.1
  198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [ff02::1] [2001:db8::1]
  [100::1]`
  .trim()
  .split(/\s+/)

/** All spellings of an address that URLs allow. */
function spellingsOf(address: string): string[] {
  const bytes = address.split('.').map(Number)
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const [high, low] = [Math.trunc(value / 65_536), value % 65_536].map((half) => half.toString(16))
  return [
    `${value}`,
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${address}.`,
    `[::ffff:${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
  ]
}
const privateOnes = ['127.0.0.1', '10.1.2.3', '172.20.0.5', '192.168.1.1', '100.100.0.1', '169.254.169.254']
const allRefused = [...new Set([...refused, ...privateOnes.flatMap(spellingsOf)])]

test.each(['127.0.0.1', 'localhost'])(
  'a declared address with a port is reached at that port alone: %s',
  async (host) => {
    const declared = await trap((_request, response) => response.end('{}'))
    const other = await trap((_request, response) => response.end('{}'))
    const http = outgoing(`${host}:${declared.port}`)
    expect((await http.fetchJson(call(`http://${host}:${declared.port}/`))).status).toBe(200)
    expect(await isRefused(http, `http://${host}:${other.port}/`)).toBe(true)
    expect(other.visits()).toBe(0)
  },
)

test('a declared address may be one of IPv6, with a port or without', async () => {
  const http = outgoing('[::1]:9', '::1')
  expect(await isRefused(http, 'http://[::1]:9/')).toBe(false)
})

test.each(allRefused)('http://%s is refused and nobody is called', async (host) => {
  const server = await trap((_request, response) => response.end('{}'))
  const http = outgoing()
  const error: unknown = await http
    .fetchJson(call(`http://${host}:${server.port}/`))
    .catch((reason: unknown) => reason)
  // A resolver may not know the name with its dot; what matters is that nothing is called.
  if (host === 'localhost.') expect(error).toBeInstanceOf(Error)
  else expect(isRefusal(error)).toBe(true)
  expect(server.visits()).toBe(0)
})

test.each([
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_x',
  'data:application/json,{}',
  'ftp://127.0.0.1/',
  'javascript:1',
  'http://user@127.0.0.1/',
  'http://user:senha@example.com/',
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1\\@example.com/',
])('a call to the local address %s is refused', async (url) => {
  expect(await isRefused(outgoing(), url)).toBe(true)
})

test('one that was declared is called, by its address or by its name, and no other', async () => {
  const server = await trap((_request, response) => response.end('{"ok":true}'))
  const answer = await outgoing('127.0.0.1').fetchJson(call(`http://127.0.0.1:${server.port}/a`))
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect((await outgoing('localhost').fetchJson(call(`http://LOCALHOST:${server.port}/b`))).status).toBe(200)
  expect((await outgoing('127.0.0.1').fetchJson(call(`http://2130706433:${server.port}/c`))).status).toBe(200)
  for (const allowed of ['127.0.0.2', 'example.com', 'host', '127.0.0.1.example.com', ''])
    expect(await isRefused(outgoing(allowed), `http://127.0.0.1:${server.port}/d`)).toBe(true)
  expect(server.seen.map((line) => line.split(' ')[1])).toEqual(['/a', '/b', '/c'])
})

describe('an answer', () => {
  const at = async (listener: RequestListener, more: Partial<OutgoingCall> = {}) => {
    const server = await trap(listener)
    return outgoing('127.0.0.1').fetchJson(call(`http://127.0.0.1:${server.port}/`, more))
  }

  test.each([301, 302, 303, 307, 308])(
    'an HTTP answer of %i is reported and not followed',
    async (status) => {
      const target = await trap((_request, response) => response.end('secret'))
      const answer = await at((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end(),
      )
      expect([answer.status, answer.body]).toEqual([status, undefined])
      expect(target.visits()).toBe(0)
    },
  )

  test.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['[]', []],
    ['null', null],
    ['', undefined],
    ['<html>Bad Gateway</html>', '<html>Bad Gateway</html>'],
    ['{"a":', '{"a":'],
  ])('the body of a failed answer is read as text or JSON: %j', async (text, body) => {
    const answer = await at((_request, response) => response.writeHead(502).end(text))
    expect([answer.status, answer.body]).toEqual([502, body])
  })

  test('an HTTP answer that is larger than it may be is not read to its end', async () => {
    let written = 0
    const endless = at((_request, response) => {
      const more = () => {
        while (!response.destroyed && written < 200_000_000 && response.write(Buffer.alloc(65_536)))
          written += 65_536
      }
      response.on('drain', more)
      more()
    })
    await expect(endless).rejects.toThrow('too large')
    expect(written).toBeLessThan(100_000_000)
  })

  test('an HTTP answer that is a small packet of something huge is no more than the packet', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    expect(bomb.length).toBeLessThan(10_000)
    const answer = await at((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    expect(String(answer.body).length).toBeLessThanOrEqual(2000)
  })

  test('an HTTP answer that never begins, or drips, ends with the time that it was given', async () => {
    const timeoutMs = 150
    await expect(at(() => undefined, { timeoutMs })).rejects.toThrow(/timeout|aborted/i)
    const drip = at(
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
      { timeoutMs },
    )
    await expect(drip).rejects.toThrow(/timeout|aborted/i)
  })

  test('an HTTP answer of somebody who speaks no HTTP is an error', async () => {
    const server = createTcp((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    await expect(outgoing('127.0.0.1').fetchJson(call(`http://127.0.0.1:${port}/`))).rejects.toThrow()
  })

  test('an HTTP answer headers with line breaks are not sent', async () => {
    const server = await trap((_request, response) => response.end())
    const headers = { apikey: 'a\r\nx-injected: 1' }
    const sent = outgoing('127.0.0.1').fetchJson(call(`http://127.0.0.1:${server.port}/`, { headers }))
    await expect(sent).rejects.toThrow()
    expect(server.seen).toEqual([])
  })
})

test('an exchange that is over is let go, however much time it was given', async () => {
  const { port } = await trap((_request, response) => response.end('x'.repeat(1000)))
  const http = outgoing('127.0.0.1')
  const ended: WeakRef<object>[] = []
  for (let n = 0; n < 20; n++) {
    const { body } = await http.fetchStream(call(`http://127.0.0.1:${port}/`, { timeoutMs: 600_000 }))
    if (n % 2 === 0) for await (const piece of body) expect(piece.length).toBeGreaterThan(0)
    // Leaves after the first chunk, as for a file that turns out to be none.
    else for await (const _piece of body) break
    ended.push(new WeakRef(body))
  }
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => (collect(), ended.filter((one) => one.deref() !== undefined).length)
  // The connection may still reference the last one.
  await expect.poll(held).toBeLessThanOrEqual(1)
})

test('keys that no header may contain are refused, and do not block later good ones', async () => {
  const http = outgoing('127.0.0.1')
  const { port } = await trap((_request, response) => response.end('{}'))
  const ask = (apikey: string) =>
    http.fetchJson(call(`http://127.0.0.1:${port}/`, { headers: { apikey }, timeoutMs: 2000 }))
  for (const bad of ['chave\n', 'çhave', '\0', '🔑', 'a\r\nx: y'])
    for (let n = 0; n < 30; n++) await expect(ask(bad)).rejects.toMatchObject({ code: 'gateway.bad_key' })
  expect(await ask('chave')).toMatchObject({ status: 200 })
})

test('what the client refuses for its form stands in nobody’s way either', async () => {
  const http = outgoing('127.0.0.1')
  const { port } = await trap((_request, response) => response.end('{}'))
  const url = `http://127.0.0.1:${port}/`
  for (let n = 0; n < 150; n++)
    await expect(http.fetchJson(call(url, { headers: { 'not a name': 'x' } }))).rejects.toThrow()
  expect(await http.fetchJson(call(url, { timeoutMs: 2000 }))).toMatchObject({ status: 200 })
})
