import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'
import { AppError } from '#shared/errors.ts'
import { readLimited } from './bodies/read-limited.ts'

/** An HTTP client for URLs that an administrator entered; it reaches no other host of the local network. */
export interface OutgoingHttp {
  /**
   * Does not follow redirects. `dateMs` is the other side's clock, of whole seconds, where it reports it.
   * @throws AppError gateway.address_refused for an address that is neither public nor declared,
   *   gateway.bad_key for a header that cannot be sent
   * @throws the connection's error otherwise
   */
  fetchJson(call: OutgoingCall): Promise<{ status: number; body: unknown; dateMs?: number }>
  /** Returns the body as a stream. Leaving it unread aborts the exchange. @throws as fetchJson */
  fetchStream(call: Omit<OutgoingCall, 'maxBytes'>): Promise<{ status: number; body: AsyncIterable<Buffer> }>
  close(): Promise<void>
}

export interface OutgoingCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** A stream, instead of `body`: JSON, unless it says what it is. */
  streamed?: { bytes: AsyncIterable<Uint8Array>; sizeBytes: number; contentType?: string }
  /** For the whole exchange. */
  timeoutMs: number
  /** The maximum size of the answer. */
  maxBytes: number
  /** Breaks the exchange off. */
  signal?: AbortSignal
}

/** @param allowedHosts GATEWAY_ALLOWED_HOSTS: names or addresses, each for all ports or with one */
export function createOutgoingHttp(allowedHosts: readonly string[]): OutgoingHttp {
  const agent = new Agent({
    connect: checkedConnect(allowedHosts),
    pipelining: 1,
    // Unlimited: undici counts a connection whose request it rejected as malformed as busy forever, and once
    // all are counted so, every later call hangs. The callers have limits of their own.
    connections: null,
    keepAliveTimeout: 10_000,
  })
  const open = async (call: Omit<OutgoingCall, 'maxBytes'>) => {
    const url = new URL(call.url)
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw addressRefused()
    // The lookup hook is not called for literal addresses, so check them first.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) && !isAllowed(literal, url.hostname, hostsAt(allowedHosts, portOf(url))))
      throw addressRefused()
    const { headers, body } = bodyOf(call)
    const { timeoutMs } = call
    const limit = timeLimit(timeoutMs)
    try {
      const answer = request(url, {
        method: call.method,
        dispatcher: agent,
        signal: call.signal ? AbortSignal.any([limit.signal, call.signal]) : limit.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        headers: sendable(headers),
        ...(body !== undefined && { body }),
      })
      // undici's timeouts cover requests in progress, not those that wait for a connection.
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
      const text = await readLimited(answer.body, call.maxBytes, answerTooLarge)
      const dateMs = Date.parse(String(answer.headers['date']))
      return {
        status: answer.statusCode,
        body: parseJson(text),
        ...(Number.isFinite(dateMs) && { dateMs }),
      }
    },
    async fetchStream(call) {
      const answer = await open(call)
      return { status: answer.statusCode, body: answer.body as AsyncIterable<Buffer> }
    },
    // Does not wait for pending requests: their callers have stopped by now.
    close: () => agent.destroy(),
  }
}

/**
 * A time limit that is cancelled when the exchange ends: a pending timer would keep each exchange and its
 * last chunk in memory until the longest timeout.
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
    const { bytes, sizeBytes, contentType } = streamed
    return {
      headers: {
        ...headers,
        ...json,
        ...(contentType !== undefined && { 'content-type': contentType }),
        'content-length': String(sizeBytes),
      },
      body: Readable.from(bytes, { objectMode: false }),
    }
  }
  if (body === undefined) return { headers: { ...headers }, body: undefined }
  return { headers: { ...headers, ...json }, body: JSON.stringify(body) }
}

/**
 * @throws AppError gateway.bad_key for characters that no header may contain: only keys are entered by people
 */
function sendable(headers: Record<string, string>): Record<string, string> {
  for (const value of Object.values(headers))
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw new AppError('gateway.bad_key')
  return headers
}

const answerTooLarge = () => new Error('answer too large')

function addressRefused(): AppError {
  return new AppError('gateway.address_refused')
}

function checkedConnect(allowedHosts: readonly string[]): buildConnector.connector {
  return (options, callback) => {
    const port = portOf(options)
    const connect = buildConnector({ timeout: 10_000, lookup: checkedLookup(hostsAt(allowedHosts, port)) })
    connect(options, callback)
  }
}

const portOf = ({ port, protocol }: { port: string; protocol: string }) =>
  port || (protocol === 'https:' ? '443' : '80')

/**
 * The entry of GATEWAY_ALLOWED_HOSTS that permits an address, with its port: 'localhost:8080'.
 * @returns null for a URL that none permits, since it is not of HTTP or contains a password
 */
export function declarableHost(url: string): string | null {
  const { protocol, username, password, hostname, port } = new URL(url)
  if (!/^https?:$/.test(protocol) || username || password) return null
  return `${hostname}:${portOf({ port, protocol })}`
}

/** The declared hosts that may be reached at the port: those declared without one, or with this one. */
function hostsAt(allowedHosts: readonly string[], port: string): string[] {
  return allowedHosts.flatMap((entry) => {
    const [, host = entry, only = port] = /^([^:]+|\[[^\]]+\]):(\d{1,5})$/.exec(entry) ?? []
    return only === port ? [host.replace(/^\[|\]$/g, '')] : []
  })
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
        // Accept all addresses or none: DNS rebinding mixes a forbidden address with good ones.
        if (allowed.length === found.length && found.length > 0) callback(null, found)
        else callback(addressRefused(), [])
      },
      (error: Error) => callback(error, []),
    )
  }
}

/** Allows public unicast addresses and the declared hosts or addresses. */
function isAllowed(address: string, hostname: string, allowedHosts: readonly string[]): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '')
  if (allowedHosts.includes(name) || allowedHosts.includes(address)) return true
  const parsed = ipaddr.process(address)
  // For IPv6 only the range that is assigned: '::127.0.0.1' counts as unicast too.
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(givenOut, 3))
}

const givenOut = ipaddr.IPv6.parse('2000::')

/** The body as JSON, or as text when it is not JSON, such as a proxy's error page. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text.slice(0, 2000)
  }
}
