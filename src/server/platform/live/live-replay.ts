import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LiveEvent } from '#shared/live-events.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import type { Database } from '#server/platform/database/db.ts'
import {
  type EventRow,
  eventsSince,
  formatCursor,
  parseCursor,
  type Position,
} from '#server/platform/database/events.ts'
import { type Delivery, type ShownEvent, showEvents } from './live-delivery.ts'
import type { LiveSocket } from './live-socket.ts'

export type ResyncReason = Extract<LiveEvent, { type: 'resync' }>['data']['reason']

/** What one place in the log has missed, or why that cannot be told. */
type Missed = { kind: 'resync'; reason: ResyncReason } | { kind: 'told'; events: ShownEvent[] }

const replayLimit = 500
/** Frames, after which everybody else has a turn. */
const framesAtOnce = 2000

interface Returning {
  socket: LiveSocket
  cursor: string
}

/**
 * Tells sockets that come back what they have missed, then that all is told. After a restart a thousand come back to
 * the same place: those who wait together share one look at the log and one rendering. Nobody gets an older one, since
 * what came between that look and his own arrival would be lost.
 * @returns resolves when the socket has been told
 * @see reliability F-20
 */
export function createReplays(options: {
  database: Database
  render(rows: EventRow[]): Promise<Delivery[][]>
  /** Up to here all was told to whoever was connected. */
  toldUpTo(): Position
  resync(socket: LiveSocket, reason: ResyncReason): void
}): (returning: Returning) => Promise<void> {
  const { database, toldUpTo, resync } = options

  const readMissed = async (cursor: string): Promise<Missed> => {
    const from = parseCursor(cursor)
    if (!from) return { kind: 'resync', reason: 'no_cursor' }
    const rows = await eventsSince(database, from, replayLimit)
    if (typeof rows === 'string') return { kind: 'resync', reason: rows }
    return { kind: 'told', events: showEvents(rows, await options.render(rows)) }
  }

  return coalesce(async (round: Returning[]) => {
    const missed = new Map<string, Missed>()
    const upTo = formatCursor(toldUpTo())
    let sent = 0
    for (const { socket, cursor } of round) {
      const mine = missed.get(cursor) ?? (await readMissed(cursor))
      missed.set(cursor, mine)
      if (mine.kind === 'resync') {
        resync(socket, mine.reason)
        socket.release()
        continue
      }
      // Until all are told, whoever drops out resumes from where he was.
      socket.catchUp(mine.events, { before: cursor, after: upTo })
      sent += mine.events.length + 1
      if (sent < framesAtOnce) continue
      sent = 0
      await nextTurn()
    }
  })
}
