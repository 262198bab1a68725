import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeCodes, type LiveEvent } from '#shared/live-events.ts'
import type { SessionPerson, Who } from '#server/platform/http/access.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, isDatabaseDown } from '#server/platform/database/db.ts'
import {
  type EventReader,
  type EventRow,
  formatCursor,
  startEventReader,
} from '#server/platform/database/events.ts'
import { type Delivery, showEvents, withoutRepeats } from './live-delivery.ts'
import { createPresenceLive, type PresenceLive, type PresenceSources } from './presence-live.ts'
import { createReplays, type ResyncReason } from './live-replay.ts'
import { type AuthenticateFrame, LiveSocket } from './live-socket.ts'
import { LiveSockets } from './live-sockets.ts'
import { acceptUpgrades, type Upgraded } from './live-upgrade.ts'
import type { Log } from '#server/platform/log.ts'
import { createPresence, type Presence } from './presence.ts'
import type { ViewingTimes } from './viewing.ts'

/** What sockets need from the rooms; a parameter, because the rooms come after the platform. */
export interface LiveSources extends PresenceSources {
  /** Authenticates an upgrade request by its cookie or bearer token. */
  identify(request: IncomingMessage): Promise<Who | undefined>
  /** The current data of the people of these sessions; ended sessions are missing. */
  refresh(sessionIds: number[]): Promise<Map<number, SessionPerson>>
  /**
   * Reads the rows of the events once, for all sockets. The outer list has one entry per event; a person gets
   * the first delivery of an entry that they may read.
   */
  render(rows: EventRow[]): Promise<Delivery[][]>
  /** The data of each person's first frame; `serverTime` is that of the product's clock. */
  greeting(people: Who[]): Promise<(who: Who) => Greeting>
  stats(who: Who): Promise<LiveEvent | undefined>
  /** Records that a person claimed to be another one. @see security S-09 */
  noteOtherUser(who: Who, claimed: unknown): Promise<void>
}

type Greeting = Omit<Extract<LiveEvent, { type: 'hello' }>['data'], 'connectionId' | 'heartbeatMs'>

export interface Live {
  readonly presence: Presence
  setClientTyping: PresenceLive['setClientTyping']
  socketCount(): number
  /**
   * Number of frames since the start that the web client never sends: of the server's types, malformed, or
   * binary.
   */
  refusedFrames(): number
  lagMs(): number
  /** The position up to which every socket was sent everything. */
  position(): { epoch: string; cursor: string }
  /** Closes every socket with 1012. */
  stop(): Promise<void>
}

const heartbeatMs = 30_000
const introducedWithinMs = 2000
const socketsPerUser = 10
/** Number of events between two turns of the event loop. */
const shownAtOnce = 200

/** An internal event that ends sockets and is never sent. */
const sessionEnded = 'session_ended'

export async function startLive(options: {
  server: Server
  database: Database
  config: Config
  log: Log
  epoch: string
  sources: LiveSources
  /** Overrides how long the notes of other instances are valid. */
  viewingTimes?: ViewingTimes
}): Promise<Live> {
  const { database, log, epoch, sources } = options
  const sockets = new LiveSockets()
  const presence = createPresence(database, log)
  let isTicking = false
  let refusedFrames = 0
  const complain = (error: unknown) => log.warn({ err: error }, 'socket request failed')
  const here = () => formatCursor(reader.position)

  const show = async (rows: EventRow[]) => {
    await obey(rows)
    const news = withoutRepeats(rows)
    for (let from = 0; from < news.length && sockets.count > 0; from += shownAtOnce) {
      if (from > 0) await nextTurn()
      const some = news.slice(from, from + shownAtOnce)
      const shown = showEvents(some, await sources.render(some).catch(giveUp))
      // The position before these rows: a socket that drops out in between gets all of them again.
      const cursor = here()
      for (const socket of sockets.all) socket.sendEvents(shown, cursor)
    }
  }
  const skip = async () => {
    await refresh([...sockets.all])
    for (const socket of sockets.all) resync(socket, 'too_many')
  }
  const reader: EventReader = await startEventReader(database, log, show, skip)
  const presenceLive = createPresenceLive({ database, log, sockets, here }, sources, options.viewingTimes)

  /** Rows that cannot be rendered must not stop the later ones: the sockets are asked to fetch instead. */
  function giveUp(error: unknown): Delivery[][] {
    if (isDatabaseDown(error)) throw error
    log.error({ err: error }, 'events not shown')
    for (const socket of sockets.all) resync(socket, 'too_old')
    return []
  }

  /** Applies ended sessions and changed permissions before anything is sent. */
  async function obey(rows: EventRow[]): Promise<void> {
    const users = new Set<number>()
    for (const row of rows)
      if (row.userId !== null && (row.type === sessionEnded || row.type === 'permissions_changed'))
        users.add(row.userId)
    await refresh([...users].flatMap((userId) => sockets.of(userId)))
  }

  // One question after the other, so that no answer is put in place of a later one.
  const askLiving = coalesce((ids: number[][]) => sources.refresh([...new Set(ids.flat())]))

  async function refresh(some: LiveSocket[]): Promise<void> {
    if (some.length === 0) return
    await judgeAgain(some)
    presenceLive.refresh()
  }

  async function judgeAgain(some: LiveSocket[]): Promise<void> {
    const living = await askLiving(some.map((socket) => socket.who.sessionId))
    for (const socket of some) {
      const person = living.get(socket.who.sessionId)
      if (person) socket.who = { ...person, source: socket.who.source }
      else socket.close(closeCodes.sessionEnded, 'sessão encerrada')
    }
  }

  function resync(socket: LiveSocket, reason: ResyncReason): void {
    socket.send({ type: 'resync', data: { reason } }, here())
  }

  const replay = createReplays({
    database,
    render: (rows) => sources.render(rows),
    deliveredUpTo: () => reader.position,
    resync,
  })

  async function resume(socket: LiveSocket, asked: AuthenticateFrame): Promise<void> {
    if (asked.lastCursor && asked.epoch !== epoch) resync(socket, 'epoch')
    if (!asked.lastCursor || asked.epoch !== epoch) return socket.release()
    try {
      await replay({ socket, cursor: asked.lastCursor })
    } catch (error) {
      complain(error)
      resync(socket, 'too_old')
      socket.release()
    }
  }

  async function sendStats(socket: LiveSocket): Promise<void> {
    const event = await sources.stats(socket.who)
    if (event) socket.send(event, here())
  }

  // oxlint-disable-next-line house/no-wall-clock -- the product's clock is the database's, and that is away
  const machineTime = () => new Date().toISOString()
  const askGreeting = coalesce((people: Who[]) =>
    sources.greeting(people).catch((): ((who: Who) => Greeting) => () => ({
      gatewayConnected: false,
      away: [],
      numbersVersion: '',
      waiting: 0,
      recovered: null,
      serverTime: machineTime(),
    })),
  )

  /** Adds the socket at once, so that it ends with its session; it gets nothing before its 'hello'. */
  function welcome({ who, ws, duplex }: Upgraded): void {
    const socket = new LiveSocket({ ws, duplex, who, epoch, id: randomUUID() })
    if (sockets.of(who.id).length >= socketsPerUser)
      return socket.close(closeCodes.tooManyFrames, 'conexões demais')
    sockets.add(socket)
    // Missed events come before new ones. A socket that does not authenticate within the time gets the new
    // ones.
    socket.hold()
    const silent = setTimeout(() => socket.release(), introducedWithinMs)
    const greet = async () => {
      // Rights that were taken before the socket was there were obeyed by the others alone.
      await judgeAgain([socket]).catch(complain)
      const greetingOf = await askGreeting(socket.who)
      const data = { connectionId: socket.id, heartbeatMs, ...greetingOf(socket.who) }
      socket.greet({ type: 'hello', data }, here())
    }
    const greeted = greet()
    socket.listen({
      onAuthenticate: (frame) => {
        clearTimeout(silent)
        socket.hold()
        void greeted.then(() => resume(socket, frame))
      },
      onOtherUser: (claimed) => void sources.noteOtherUser(socket.who, claimed).catch(complain),
      onActive: () => presence.active(socket.id),
      onStats: () => void greeted.then(() => sendStats(socket)).catch(complain),
      onViewing: (conversationId) => presenceLive.setViewing(socket, conversationId),
      onTyping: (conversationId, isTyping) => presenceLive.setTyping(socket, conversationId, isTyping),
      onReleased: () => presenceLive.sendAll(socket),
      onRefused: () => void refusedFrames++,
      onClose: () => {
        clearTimeout(silent)
        sockets.remove(socket)
        presenceLive.remove(socket)
        presence.left(socket.id)
      },
    })
    presence.joined(socket.id, who.id, who.sessionId)
  }

  const tick = async () => {
    for (const socket of sockets.all) socket.ping()
    await refresh([...sockets.all])
    await presence.beat()
  }
  const timer = setInterval(() => {
    if (isTicking) return
    isTicking = true
    tick()
      .catch(complain)
      .finally(() => (isTicking = false))
  }, heartbeatMs)
  const upgrades = acceptUpgrades({ ...options, identify: sources.identify, welcome, complain })

  return {
    presence,
    setClientTyping: presenceLive.setClientTyping,
    socketCount: () => sockets.count,
    refusedFrames: () => refusedFrames,
    lagMs: () => reader.lagMs(),
    position: () => ({ epoch, cursor: here() }),
    async stop() {
      upgrades.stop()
      clearInterval(timer)
      presenceLive.stop()
      for (const socket of sockets.all) socket.close(closeCodes.restarting, 'reiniciando')
      await reader.stop()
      await presence.stop()
    },
  }
}
