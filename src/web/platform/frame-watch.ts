import type { LiveFrame } from '#shared/live-events.ts'

/** Up to where everything of the event log is known here; it outlives single connections. */
export interface Position {
  epoch: string
  cursor: string
}

/** 'lost': something may have happened that was not told, so everything shown must be fetched. */
export type Seen = 'ok' | 'lost'

/**
 * Watches the frames of one connection: `n` has no hole and the epoch stays the same.
 *
 * The position moves only once what was missed before this connection has been told (`resumed`) or is being fetched, so
 * that a connection that drops in between loses nothing.
 */
export function watchFrames(known: Position | undefined) {
  let position = known
  let isCaughtUp = known === undefined
  let lastN = 0
  return {
    position: () => position,
    see(frame: Pick<LiveFrame, 'type' | 'n' | 'epoch' | 'cursor'>): Seen {
      const isFirst = lastN === 0
      const isHole = frame.n !== lastN + 1
      const isNewEpoch = position !== undefined && position.epoch !== frame.epoch
      // A first connection follows fetches that may be older than it.
      const isLost = isHole || isNewEpoch || frame.type === 'resync' || (isFirst && known === undefined)
      lastN = frame.n
      isCaughtUp ||= isLost || frame.type === 'resumed'
      if (isCaughtUp) position = { epoch: frame.epoch, cursor: frame.cursor }
      return isLost ? 'lost' : 'ok'
    },
  }
}
