import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher, request } from 'undici'
import { AppError } from '#shared/errors.ts'

/** Speaks to addresses that an administrator typed, and to no other machine of our network. */
export interface OutgoingHttp {
  /**
   * Never follows redirects.
   * @throws AppError gateway.address_refused for an address that is not public and not declared, gateway.bad_key for a
   *   header that cannot be sent
   * @throws the connection's error otherwise
   */
  fetchJson(call: OutgoingCall): Promise<{ status: number; body: unknown }>
  /**
   * The answer as it comes, for what is too large to be held. Whoever does not read it to its end breaks it off.
   * @throws as fetchJson
   */
  fetchStream(call: Omit<OutgoingCall, 'maxBytes'>): Promise<{ status: number; body: AsyncIterable<Buffer> }>
  close(): Promise<void>
}

export interface OutgoingCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** JSON that is too large to be held, in its place. */
  streamed?: { bytes: AsyncIterable<Uint8Array>; sizeBytes: number }
  /** For the whole exchange. */
  timeoutMs: number
  /** Largest answer that is read. */
  maxBytes: number
}

export function createOutgoingHttp(allowedHosts: readonly string[]): OutgoingHttp {
  const agent = new Agent({
    connect: { timeout: 10_000, lookup: checkedLookup(allowedHosts) },
    pipelining: 1,
    // No limit: with one, undici counts a connection whose call it refused for its form as busy for ever, and when
    // all are so counted every later call waits without end. Our callers have their own limits.
    connections: null,
    keepAliveTimeout: 10_000,
  })
  const open = async (call: Omit<OutgoingCall, 'maxBytes'>) => {
    const url = new URL(call.url)
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw addressRefused()
    // The lookup hook is not asked for literal addresses, so the name itself is checked first.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) && !isAllowed(literal, url.hostname, allowedHosts)) throw addressRefused()
    const { headers, body } = bodyOf(call)
    const { timeoutMs } = call
    const limit = timeLimit(timeoutMs)
    try {
      const answer = request(url, {
        method: call.method,
        dispatcher: agent,
        signal: limit.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        headers: sendable(headers),
        ...(body !== undefined && { body }),
      })
      // Its own time-out holds for what it has begun, and not for what still waits in it.
      const arrived = await Promise.race([answer, limit.over])
      arrived.body.once('close', limit.lift)
      return arrived
    } catch (error) {
      limit.lift()
      throw error
    }
  }
  return {
    async fetchJson(call) {
      const answer = await open(call)
      const text = await readLimited(answer.body, call.maxBytes)
      return { status: answer.statusCode, body: parseJson(text) }
    },
    async fetchStream(call) {
      const answer = await open(call)
      return { status: answer.statusCode, body: answer.body as AsyncIterable<Buffer> }
    },
    // Whoever still waits is not waited for: those who ask have ended by now.
    close: () => agent.destroy(),
  }
}

/**
 * A limit that is lifted as soon as the exchange is over: one that ran on would hold every exchange with its last piece
 * for as long as the slowest may take.
 */
function timeLimit(ms: number) {
  const controller = new AbortController()
  const { signal } = controller
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  const timer = setTimeout(() => controller.abort(new DOMException('aborted by timeout', 'TimeoutError')), ms)
  return { signal, over, lift: () => clearTimeout(timer) }
}

function bodyOf({ headers, body, streamed }: Omit<OutgoingCall, 'maxBytes'>) {
  const json = { 'content-type': 'application/json' }
  if (streamed) {
    const { bytes, sizeBytes } = streamed
    return {
      headers: { ...headers, ...json, 'content-length': String(sizeBytes) },
      body: Readable.from(bytes, { objectMode: false }),
    }
  }
  if (body === undefined) return { headers: { ...headers }, body: undefined }
  return { headers: { ...headers, ...json }, body: JSON.stringify(body) }
}

/** @throws AppError gateway.bad_key for what no header can hold: only keys come from people */
function sendable(headers: Record<string, string>): Record<string, string> {
  for (const value of Object.values(headers))
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw new AppError('gateway.bad_key')
  return headers
}

function addressRefused(): AppError {
  return new AppError('gateway.address_refused')
}

function checkedLookup(allowedHosts: readonly string[]) {
  return (
    hostname: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ): void => {
    lookup(hostname, { all: true }).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address, hostname, allowedHosts))
        // One forbidden address among good ones is how rebinding works: all or none.
        if (allowed.length === found.length && found.length > 0) callback(null, found)
        else callback(addressRefused(), [])
      },
      (error: Error) => callback(error, []),
    )
  }
}

/** Public unicast addresses, and whatever GATEWAY_ALLOWED_HOSTS names (host, address or host:port is not needed). */
function isAllowed(address: string, hostname: string, allowedHosts: readonly string[]): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '')
  if (allowedHosts.includes(name) || allowedHosts.includes(address)) return true
  const parsed = ipaddr.process(address)
  // Of IPv6 only what is really given out: '::127.0.0.1' counts as unicast too.
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(givenOut, 3))
}

const givenOut = ipaddr.IPv6.parse('2000::')

async function readLimited(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error('answer too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The body as JSON, or as text when it is none: gateways answer proxies' error pages too. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text.slice(0, 2000)
  }
}
