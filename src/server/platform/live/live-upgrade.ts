import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeCodes } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Config } from '#server/platform/config.ts'
import { isOwnOrigin } from '#server/platform/http/source/own-origin.ts'

/** A person who may connect, before and after the handshake. */
export interface Upgraded {
  who: Who
  ws: WebSocket
  duplex: Duplex
}

export interface Upgrades {
  /** Refuses all further upgrades with 503. */
  stop(): void
}

const upgradesPerSecond = 500
const longestRetryMs = 60_000

/**
 * Accepts sockets at `/ws`. Checks the page's origin, then the session, then the rate. Refuses with 401, 403,
 * 404 and 503 before the handshake, and with 1013 after it, with the milliseconds to wait as its reason.
 * @see security S-09, reliability F-20
 */
export function acceptUpgrades(options: {
  server: Server
  config: Config
  identify(request: IncomingMessage): Promise<Who | undefined>
  welcome(upgraded: Upgraded): void
  complain(error: unknown): void
}): Upgrades {
  let isStopping = false
  const budget = createBudget(upgradesPerSecond)
  const acceptor = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    // The frames of browsers fit into one packet; endless fragments would take memory.
    maxFragments: 8,
    maxBufferedChunks: 256,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('bearer') ? 'bearer' : false),
  })

  const accept = async (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (isStopping) return refuse(duplex, 503, 'Service Unavailable')
    if (!mayConnectFrom(request, options.config)) return refuse(duplex, 403, 'Forbidden')
    const who = await options.identify(request)
    if (!who) return refuse(duplex, 401, 'Unauthorized')
    if (isStopping) return refuse(duplex, 503, 'Service Unavailable')
    acceptor.handleUpgrade(request, duplex, head, (ws) => {
      const retryAfterMs = budget()
      if (retryAfterMs === 0) return options.welcome({ who, ws, duplex })
      ws.on('error', () => undefined)
      ws.close(closeCodes.notNow, String(retryAfterMs))
      setTimeout(() => ws.terminate(), 5000).unref()
    })
  }

  options.server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => duplex.destroy())
    // Not with URL, which throws for some addresses: outside of a handler that would end the process.
    if (request.url?.split('?')[0] !== '/ws') return refuse(duplex, 404, 'Not Found')
    accept(request, duplex, head).catch((error: unknown) => {
      options.complain(error)
      refuse(duplex, 503, 'Service Unavailable')
    })
  })

  return {
    stop() {
      isStopping = true
      acceptor.close()
    },
  }
}

/**
 * A browser names the origin of the page. Only our own may connect, because the browser adds the cookie to
 * any page's request. A program without an Origin must send a bearer token, which no page can attach.
 */
function mayConnectFrom(request: IncomingMessage, config: Config): boolean {
  const { origin } = request.headers
  if (origin !== undefined) return isOwnOrigin(origin, request.headers, config)
  return /^bearer, ?[\w-]+$/.test(request.headers['sec-websocket-protocol'] ?? '')
}

/** Destroys the connection after the response: a peer that keeps its side open would keep it forever. */
function refuse(duplex: Duplex, status: number, text: string): void {
  if (duplex.destroyed) return
  duplex.once('finish', () => duplex.destroy())
  duplex.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/**
 * Limits the upgrades per second. Those above the limit get increasing waits, as if they queued.
 * @returns 0, or the milliseconds to wait
 */
function createBudget(perSecond: number): () => number {
  let left = perSecond
  let sentAway = 0
  let second = 0
  return () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) {
      sentAway = Math.max(0, sentAway - perSecond * (now - second))
      second = now
      left = perSecond
    }
    if (left-- > 0) return 0
    sentAway++
    return Math.min(longestRetryMs, 1000 + Math.floor((sentAway * 1000) / perSecond))
  }
}
