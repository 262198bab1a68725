import type { LiveFrame } from '#shared/live-events.ts'

/** The position in the event log up to which everything is known. It is kept across connections. */
export interface Position {
  epoch: string
  cursor: string
}

/**
 * 'lost': events may have been missed, so everything shown must be refetched. 'again': an event that was
 * already delivered, since resuming replays from a safe position.
 */
export type Seen = 'ok' | 'lost' | 'again'

/** Events beyond this limit are not replayed; the client must refetch. */
const maxReplayed = 1000

/**
 * Checks the frames of one connection: `n` has no gaps and the epoch stays the same.
 *
 * The position advances only once events missed before this connection have been replayed (`resumed`) or are
 * being refetched, so that a connection that drops in between loses nothing.
 * @param delivered the events received so far over all connections; this one adds to it
 */
export function watchFrames(known: Position | undefined, delivered = new Set<string>()) {
  let position = known
  let isCaughtUp = known === undefined
  let lastN = 0
  return {
    position: () => position,
    see(frame: Pick<LiveFrame, 'type' | 'n' | 'epoch' | 'cursor' | 'seq'>): Seen {
      const isFirst = lastN === 0
      const isHole = frame.n !== lastN + 1
      const isNewEpoch = position !== undefined && position.epoch !== frame.epoch
      // The first connection may follow fetches that are older than it.
      const isLost = isHole || isNewEpoch || frame.type === 'resync' || (isFirst && known === undefined)
      lastN = frame.n
      isCaughtUp ||= isLost || frame.type === 'resumed'
      if (isCaughtUp) position = { epoch: frame.epoch, cursor: frame.cursor }
      if (isNewEpoch) delivered.clear()
      const isNew = isFirstDelivery(frame.seq, delivered)
      if (isLost) return 'lost'
      return isNew ? 'ok' : 'again'
    },
  }
}

function isFirstDelivery(seq: string | undefined, delivered: Set<string>): boolean {
  if (seq === undefined) return true
  if (delivered.has(seq)) return false
  delivered.add(seq)
  const [oldest] = delivered
  if (delivered.size > maxReplayed && oldest !== undefined) delivered.delete(oldest)
  return true
}
