import type { PieceKind } from '#shared/workday/timesheets.ts'
import type { WorkState } from '#shared/workday/work-states.ts'

// Cuts what people were into days, and adds it up. Times are in seconds since 1970.

/** A period as it counts, after its correction. */
export interface Counted {
  id: number
  userId: number
  state: WorkState
  /** Which pause it is a part of; interrupted ones have the same. */
  pauseKey: string | null
  /** When that pause began. */
  pausedAt: number | null
  limitMinutes: number | null
  countsAsWork: boolean
  startedAt: number
  /** Of one that goes on, until when the person was last seen. */
  endedAt: number
  isOpen: boolean
}

/** A day, from its midnight to the next. */
export interface DaySpan {
  day: string
  from: number
  to: number
}

/** A part of a period within a day. */
export interface Piece {
  period: Counted
  span: DaySpan
  from: number
  to: number
  /** From where it is beyond the limit of its pause; `to` if it is not. */
  overFrom: number
}

/** When the limit of a pause is over, by the clock: whoever closes the laptop meanwhile is late, too. */
const limitAtOf = ({ pausedAt, limitMinutes }: Counted): number =>
  pausedAt === null || limitMinutes === null ? Infinity : pausedAt + limitMinutes * 60

/** @param periods in the order of their times, of any number of people */
export function cutIntoDays(periods: readonly Counted[], days: readonly DaySpan[]): Piece[] {
  return periods.flatMap((period) =>
    days.flatMap((span): Piece[] => {
      const [start, end] = [Math.max(span.from, period.startedAt), Math.min(span.to, period.endedAt)]
      const overFrom = Math.min(end, Math.max(start, limitAtOf(period)))
      return start < end ? [{ period, span, from: start, to: end, overFrom }] : []
    }),
  )
}

/** The sums of a person's day. */
export interface DaySums {
  userId: number
  day: string
  firstAt: number
  lastAt: number
  isOpen: boolean
  logged: number
  available: number
  paused: number
  counted: number
  away: number
  pauses: number
  over: number
  overSeconds: number
  pieces: { from: number; to: number; kind: PieceKind }[]
}

/** @param pieces of one person and day, in their order; at least one */
export function sumDay(pieces: readonly [Piece, ...Piece[]]): DaySums {
  const { period, span } = pieces[0]
  const isToday = (at: number) => at >= span.from && at < span.to
  const last = pieces.at(-1) ?? pieces[0]
  const seconds = (isMeant: (piece: Piece) => boolean) =>
    pieces.filter(isMeant).reduce((sum, { from, to }) => sum + to - from, 0)
  const isPause = ({ period: { state } }: Piece) => state === 'paused'
  const isCounted = (piece: Piece) => isPause(piece) && piece.period.countsAsWork
  // A pause counts on the day on which it begins. It is late on the day on which its limit is over, or else
  // on which somebody came back to it.
  const begun = new Set<string>()
  const late = new Set<string>()
  for (const piece of pieces) {
    const { pauseKey, pausedAt, startedAt } = piece.period
    if (pauseKey === null || pausedAt === null) continue
    if (!isCounted(piece) && isToday(pausedAt)) begun.add(pauseKey)
    const isLateHere = isToday(limitAtOf(piece.period)) || piece.from === startedAt
    if (piece.overFrom < piece.to && isLateHere) late.add(pauseKey)
  }
  return {
    userId: period.userId,
    day: span.day,
    firstAt: pieces[0].from,
    lastAt: last.to,
    isOpen: last.period.isOpen && last.to === last.period.endedAt,
    logged: seconds(() => true),
    available: seconds(({ period: { state } }) => state === 'available'),
    paused: seconds((piece) => isPause(piece) && !isCounted(piece)),
    counted: seconds(isCounted),
    away: seconds(({ period: { state } }) => state === 'away' || state === 'idle'),
    pauses: begun.size,
    over: late.size,
    overSeconds: pieces.reduce((sum, { overFrom, to }) => sum + to - overFrom, 0),
    pieces: joined(pieces.flatMap(kindsOf)),
  }
}

function kindsOf(piece: Piece): DaySums['pieces'] {
  const { from, to, overFrom, period } = piece
  if (period.state !== 'paused')
    return [{ from, to, kind: period.state === 'available' ? 'available' : 'away' }]
  const kind = period.countsAsWork ? 'counted' : 'paused'
  return [{ from, to: overFrom, kind } as const, { from: overFrom, to, kind: 'over' } as const].filter(
    (part) => part.from < part.to,
  )
}

/** What touches and is the same is one. */
function joined(parts: DaySums['pieces']): DaySums['pieces'] {
  const all: DaySums['pieces'] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last && last.to === part.from && last.kind === part.kind) last.to = part.to
    else all.push({ ...part })
  }
  return all
}
