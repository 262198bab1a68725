import type { WorkState } from '#shared/workday/work-states.ts'

// How the record of a working day goes on: what becomes of a person's open period. Times are in seconds since
// 1970, in the product's clock.

/** A connection that was lost for less than this has not been lost. */
const lossSeconds = 2 * 60
/** A shorter one is a page that was loaded again. */
const toldLossSeconds = 15

/** What somebody is, beside being connected. */
export interface Chosen {
  state: WorkState
  /** Of a pause. */
  reasonId: number | null
  pausedAt: number | null
  limitMinutes: number | null
  countsAsWork: boolean
}

/** When a socket was open. */
export interface Span {
  from: number
  to: number
  /** Whether it still is; then `to` is now. */
  isOpen: boolean
}

export interface Seen {
  spans: readonly Span[]
  /** What the person is from the time of this look on. */
  chosen: Chosen
  /** Since when there was no input long enough to be idle; undefined: there was some. */
  idleSince: number | undefined
  /** The last input. */
  inputAt: number | undefined
  device: string
}

/** A period that is being written: `id` undefined for one that is new. */
export interface Period extends Chosen {
  id: number | undefined
  startedAt: number
  /** null: it goes on. */
  endedAt: number | null
  seenAt: number
  losses: number
  device: string
}

/**
 * Goes on with the record of one person.
 * @param open the period that goes on, if there is one
 * @param lastEnd when the last ended period ended: no other begins before
 * @returns the periods to write, in their order; the one that was open is the first of them. Those of no
 *   length are not to be kept
 */
export function advance(
  open: Period | undefined,
  lastEnd: number | undefined,
  { spans, ...seen }: Seen,
  now: number,
): Period[] {
  const ended: Period[] = []
  let current = open && { ...open }
  let notBefore = current?.startedAt ?? lastEnd ?? -Infinity
  const end = (period: Period, at: number) => {
    const endedAt = Math.max(at, period.startedAt)
    ended.push({ ...period, seenAt: Math.min(period.seenAt, endedAt), endedAt })
    notBefore = endedAt
    current = undefined
  }
  const begin = (at: number, is: Chosen, device = seen.device): Period => {
    // The clock may have been put back: nothing begins before what was written.
    const startedAt = Math.max(at, notBefore)
    return { id: undefined, ...is, startedAt, endedAt: null, seenAt: startedAt, losses: 0, device }
  }
  for (const { from, to } of joined(spans)) {
    if (to < (current?.seenAt ?? notBefore)) continue
    if (current && from - current.seenAt >= lossSeconds) end(current, current.seenAt)
    if (!current) current = begin(from, stateAt(seen, from))
    else if (from - current.seenAt >= toldLossSeconds) current.losses++
    current.seenAt = Math.max(current.seenAt, to)
  }
  if (current && now - current.seenAt >= lossSeconds) end(current, current.seenAt)
  const isHere = spans.some((span) => span.isOpen)
  // Nobody becomes idle, or comes back from it, without being connected.
  const is = isHere ? stateAt(seen, now) : current?.state === 'idle' ? withIdle(seen.chosen) : seen.chosen
  if (current && !isSame(current, is)) {
    const before = current
    const isByInput = is.state === 'idle' || before.state === 'idle'
    end(before, changeOf(before, is, seen, now))
    current = begin(notBefore, is, isByInput ? before.device : seen.device)
    if (isHere) current.seenAt = Math.max(now, notBefore)
  }
  return current ? [...ended, current] : ended
}

const withIdle = (chosen: Chosen): Chosen =>
  chosen.state === 'available' ? { ...chosen, state: 'idle' } : chosen

/** Idle is only who is available. */
const stateAt = ({ chosen, idleSince }: Omit<Seen, 'spans'>, at: number): Chosen =>
  idleSince !== undefined && idleSince <= at ? withIdle(chosen) : chosen

/** When it changed: idleness begins and ends with the input, everything else now. */
function changeOf(
  before: Chosen,
  after: Chosen,
  { idleSince, inputAt }: Omit<Seen, 'spans'>,
  now: number,
): number {
  if (after.state === 'idle' && before.state === 'available' && idleSince !== undefined) return idleSince
  if (before.state === 'idle' && after.state === 'available' && inputAt !== undefined)
    return Math.min(inputAt, now)
  return now
}

const isSame = (a: Chosen, b: Chosen) =>
  a.state === b.state && a.reasonId === b.reasonId && a.pausedAt === b.pausedAt

/** The times in which somebody was connected by any socket, in their order. */
function joined(spans: readonly Span[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}
