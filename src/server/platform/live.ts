import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { closeCodes, type LiveEvent } from '#shared/live-events.ts'
import type { Who } from './access.ts'
import type { Config } from './config.ts'
import { type Database, isDatabaseDown } from './db.ts'
import {
  type EventReader,
  type EventRow,
  eventsSince,
  formatCursor,
  parseCursor,
  startEventReader,
} from './events.ts'
import { isOwnOrigin } from './http.ts'
import { LiveSocket } from './live-socket.ts'
import type { Log } from './log.ts'
import { createPresence, type Presence } from './presence.ts'

/** One frame and who may read it; built once for all sockets. */
export interface Delivery {
  event: LiveEvent
  mayRead(who: Who): boolean
}

/** What the rooms know and sockets need; handed in by main. */
export interface LiveSources {
  /** By the cookie or the bearer of the upgrade request. */
  identify(request: IncomingMessage): Promise<Who | undefined>
  /** The person of a session as of now; undefined when it ended. */
  refresh(sessionIds: number[]): Promise<Map<number, Who>>
  /**
   * Reads the rows that the events speak of, once, and says who gets which frame. The outer list has one entry an
   * event; the first delivery of an entry that a person may read is the one he gets.
   */
  render(rows: EventRow[]): Promise<Delivery[][]>
  gatewayConnected(): Promise<boolean>
  stats(who: Who): Promise<LiveEvent | undefined>
}

export interface Live {
  readonly presence: Presence
  socketCount(): number
  lagMs(): number
  /** Closes every socket with 1012 and stops. */
  stop(): Promise<void>
}

const heartbeatMs = 30_000
const replayLimit = 500
const socketsPerUser = 10
const upgradesPerSecond = 500

type ResyncReason = Extract<LiveEvent, { type: 'resync' }>['data']['reason']

/** Internal events steer sockets and are never told to browsers. */
const sessionEnded = 'session_ended'

export async function startLive(options: {
  server: Server
  database: Database
  config: Config
  log: Log
  epoch: string
  sources: LiveSources
}): Promise<Live> {
  const { server, database, log, epoch, sources } = options
  const sockets = new Set<LiveSocket>()
  const presence = createPresence(database, log)
  const acceptor = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('bearer') ? 'bearer' : false),
  })
  let isStopping = false
  let isTicking = false
  const budget = createBudget(upgradesPerSecond)

  const reader: EventReader = await startEventReader(database, log, async (rows) => {
    await obey(rows)
    if (sockets.size === 0) return
    const rendered = await sources.render(rows).catch(giveUp)
    // The position stands before these rows: who drops out between two of them gets all of them again.
    const cursor = formatCursor(reader.position)
    for (const deliveries of rendered) push(deliveries, cursor, sockets)
  })

  /** Rows that cannot be shown must not stop those after them: whoever is here fetches. */
  function giveUp(error: unknown): Delivery[][] {
    if (isDatabaseDown(error)) throw error
    log.error({ err: error }, 'events not shown')
    for (const socket of sockets) resync(socket, 'too_old')
    return []
  }

  /** Ended sessions and changed permissions act before anything else is told. */
  async function obey(rows: EventRow[]): Promise<void> {
    const users = new Set<number>()
    for (const row of rows)
      if (row.userId !== null && (row.type === sessionEnded || row.type === 'permissions_changed'))
        users.add(row.userId)
    if (users.size > 0) await refresh([...sockets].filter((socket) => users.has(socket.who.id)))
  }

  async function refresh(some: LiveSocket[]): Promise<void> {
    if (some.length === 0) return
    const living = await sources.refresh([...new Set(some.map((socket) => socket.who.sessionId))])
    for (const socket of some) {
      const who = living.get(socket.who.sessionId)
      if (who) socket.who = who
      else socket.close(closeCodes.sessionEnded, 'sessão encerrada')
    }
  }

  const accept = async (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (isStopping) return refuse(duplex, 503, 'Service Unavailable')
    if (!mayConnectFrom(request, options.config)) return refuse(duplex, 403, 'Forbidden')
    const who = await sources.identify(request)
    if (!who) return refuse(duplex, 401, 'Unauthorized')
    if (isStopping) return refuse(duplex, 503, 'Service Unavailable')
    acceptor.handleUpgrade(request, duplex, head, (ws) => {
      const socket = new LiveSocket({ ws, who, epoch, id: randomUUID() })
      if (!budget()) return socket.close(closeCodes.notNow, String(1000 + Math.floor(sockets.size / 2)))
      if (countOf(who.id) >= socketsPerUser) return socket.close(closeCodes.tooManyFrames, 'conexões demais')
      void open(socket)
    })
  }
  const countOf = (userId: number) => [...sockets].filter((socket) => socket.who.id === userId).length

  /** The socket counts from the first moment, so that it ends with its session; it hears nothing before its greeting. */
  async function open(socket: LiveSocket): Promise<void> {
    sockets.add(socket)
    const gateway = sources.gatewayConnected().catch(() => false)
    socket.onClose(() => {
      sockets.delete(socket)
      presence.left(socket.id)
    })
    socket.onAuthenticate((frame) => void gateway.then(() => resume(socket, frame)))
    socket.onActive(() => presence.active(socket.id))
    socket.onStats(() => void gateway.then(() => tellStats(socket)).catch(complain))
    presence.joined(socket.id, socket.who.id)
    const gatewayConnected = await gateway
    socket.greet(
      {
        type: 'hello',
        data: {
          connectionId: socket.id,
          heartbeatMs,
          gatewayConnected,
          serverTime: new Date().toISOString(),
        },
      },
      formatCursor(reader.position),
    )
  }

  function resync(socket: LiveSocket, reason: ResyncReason): void {
    socket.send({ type: 'resync', data: { reason } }, formatCursor(reader.position))
  }

  async function resume(
    socket: LiveSocket,
    asked: { lastCursor?: string | undefined; epoch?: string | undefined },
  ): Promise<void> {
    if (!asked.lastCursor) return
    if (asked.epoch !== epoch) return resync(socket, 'epoch')
    const from = parseCursor(asked.lastCursor)
    if (!from) return resync(socket, 'no_cursor')
    try {
      const cursor = formatCursor(reader.position)
      const missed = await eventsSince(database, from, replayLimit + 1)
      if (!missed) return resync(socket, 'too_old')
      if (missed.length > replayLimit) return resync(socket, 'too_many')
      // Until all are told, whoever drops out resumes from where he was.
      for (const deliveries of await sources.render(missed)) push(deliveries, formatCursor(from), [socket])
      socket.send({ type: 'resumed', data: {} }, cursor)
    } catch (error) {
      complain(error)
      resync(socket, 'too_old')
    }
  }

  async function tellStats(socket: LiveSocket): Promise<void> {
    const event = await sources.stats(socket.who)
    if (event) socket.send(event, formatCursor(reader.position))
  }

  const complain = (error: unknown) => log.warn({ err: error }, 'socket request failed')

  const tick = async () => {
    for (const socket of sockets) socket.ping()
    await refresh([...sockets])
    await presence.beat()
  }
  const timer = setInterval(() => {
    if (isTicking) return
    isTicking = true
    tick()
      .catch(complain)
      .finally(() => (isTicking = false))
  }, heartbeatMs)

  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => duplex.destroy())
    // Not by URL, which throws on some addresses, and out here that would end the process.
    if (request.url?.split('?')[0] !== '/ws') return refuse(duplex, 404, 'Not Found')
    accept(request, duplex, head).catch((error: unknown) => {
      complain(error)
      refuse(duplex, 503, 'Service Unavailable')
    })
  })

  return {
    presence,
    socketCount: () => sockets.size,
    lagMs: () => reader.lagMs(),
    async stop() {
      isStopping = true
      clearInterval(timer)
      for (const socket of sockets) socket.close(closeCodes.restarting, 'reiniciando')
      await reader.stop()
      await presence.stop()
      acceptor.close()
    },
  }
}

function push(deliveries: Delivery[], cursor: string, sockets: Iterable<LiveSocket>): void {
  const built = deliveries.map((delivery) => ({ delivery, json: '' }))
  for (const socket of sockets) {
    const mine = built.find(({ delivery }) => delivery.mayRead(socket.who))
    if (!mine) continue
    mine.json ||= JSON.stringify(mine.delivery.event.data)
    socket.sendBuilt(mine.delivery.event.type, mine.json, cursor)
  }
}

/**
 * A browser names the page that connects: only our own may, since the cookie comes along by itself. A program without
 * an Origin must show a bearer, which no page can attach.
 */
function mayConnectFrom(request: IncomingMessage, config: Config): boolean {
  const { origin } = request.headers
  if (origin !== undefined) return isOwnOrigin(origin, request.headers.host, config)
  return /^bearer, ?[\w-]+$/.test(request.headers['sec-websocket-protocol'] ?? '')
}

function refuse(duplex: Duplex, status: number, text: string): void {
  if (duplex.destroyed) return
  duplex.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** True so many times a second. */
function createBudget(perSecond: number): () => boolean {
  let left = perSecond
  let second = 0
  return () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) {
      second = now
      left = perSecond
    }
    return left-- > 0
  }
}
