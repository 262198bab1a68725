import type { LiveFrame } from '#shared/live-events.ts'

/** Up to where everything of the event log is known here; it outlives single connections. */
export interface Position {
  epoch: string
  cursor: string
}

/**
 * 'lost': something may have happened that was not told, so everything shown must be fetched. 'again': news that was told
 * before, since who resumes is told everything from a place on that is certain.
 */
export type Seen = 'ok' | 'lost' | 'again'

/** No more is ever told again: who has missed more fetches. */
const mostToldAgain = 1000

/**
 * Watches the frames of one connection: `n` has no hole and the epoch stays the same.
 *
 * The position moves only once what was missed before this connection has been told (`resumed`) or is being fetched, so
 * that a connection that drops in between loses nothing.
 * @param told the news heard so far, of all connections; what is heard here is added
 */
export function watchFrames(known: Position | undefined, told = new Set<string>()) {
  let position = known
  let isCaughtUp = known === undefined
  let lastN = 0
  return {
    position: () => position,
    see(frame: Pick<LiveFrame, 'type' | 'n' | 'epoch' | 'cursor' | 'seq'>): Seen {
      const isFirst = lastN === 0
      const isHole = frame.n !== lastN + 1
      const isNewEpoch = position !== undefined && position.epoch !== frame.epoch
      // A first connection follows fetches that may be older than it.
      const isLost = isHole || isNewEpoch || frame.type === 'resync' || (isFirst && known === undefined)
      lastN = frame.n
      isCaughtUp ||= isLost || frame.type === 'resumed'
      if (isCaughtUp) position = { epoch: frame.epoch, cursor: frame.cursor }
      if (isNewEpoch) told.clear()
      const isNew = isNews(frame.seq, told)
      if (isLost) return 'lost'
      return isNew ? 'ok' : 'again'
    },
  }
}

function isNews(seq: string | undefined, told: Set<string>): boolean {
  if (seq === undefined) return true
  if (told.has(seq)) return false
  told.add(seq)
  const [oldest] = told
  if (told.size > mostToldAgain && oldest !== undefined) told.delete(oldest)
  return true
}
