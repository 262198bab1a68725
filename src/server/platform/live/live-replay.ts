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

/** The events after a cursor, or why they cannot be replayed. */
type Missed = { kind: 'resync'; reason: ResyncReason } | { kind: 'missed'; events: ShownEvent[] }

const replayLimit = 500
/** Number of frames between two turns of the event loop. */
const framesAtOnce = 2000

interface Returning {
  socket: LiveSocket
  cursor: string
}

/**
 * Sends returning sockets the events that they missed, then 'resumed'. After a restart a thousand return to
 * the same cursor: those that wait together share one reading and one rendering. A later socket never shares
 * an older reading, which would miss the events since then.
 * @returns a function that resolves when the socket is up to date
 * @see reliability F-20
 */
export function createReplays(options: {
  database: Database
  render(rows: EventRow[]): Promise<Delivery[][]>
  /** The position up to which connected sockets have all events. */
  deliveredUpTo(): Position
  resync(socket: LiveSocket, reason: ResyncReason): void
}): (returning: Returning) => Promise<void> {
  const { database, deliveredUpTo, resync } = options

  const readMissed = async (cursor: string): Promise<Missed> => {
    const from = parseCursor(cursor)
    if (!from) return { kind: 'resync', reason: 'no_cursor' }
    const rows = await eventsSince(database, from, replayLimit)
    if (typeof rows === 'string') return { kind: 'resync', reason: rows }
    return { kind: 'missed', events: showEvents(rows, await options.render(rows)) }
  }

  return coalesce(async (round: Returning[]) => {
    const missed = new Map<string, Missed>()
    const upTo = formatCursor(deliveredUpTo())
    let sent = 0
    for (const { socket, cursor } of round) {
      const mine = missed.get(cursor) ?? (await readMissed(cursor))
      missed.set(cursor, mine)
      if (mine.kind === 'resync') {
        resync(socket, mine.reason)
        socket.release()
        continue
      }
      // A socket that drops out before the end resumes from its old cursor.
      socket.catchUp(mine.events, { before: cursor, after: upTo })
      sent += mine.events.length + 1
      if (sent < framesAtOnce) continue
      sent = 0
      await nextTurn()
    }
  })
}
