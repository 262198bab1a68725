import { nearPart } from '#shared/sla/sla.ts'
import type { Schedule } from '#shared/settings/schedule.ts'
import { openMsBetween, openInstant } from '#shared/settings/working-hours.ts'

// How much of the time to the first reply, and to the end, of a conversation has run, as pure functions. All
// instants are in milliseconds since 1970.

/** From an instant until before another one; null: it goes on. */
export interface Span {
  from: number
  to: number | null
}

/** What of a conversation decides about its clocks. */
export interface Course {
  startedAt: number
  /** null: it is open. */
  completedAt: number | null
  /** Only who was written to first has a reply to wait for. */
  isFromContact: boolean
  /** The first reply of a person; null: none yet. */
  firstReplyAt: number | null
  /** When the client waited for somebody: from a word of theirs until it was answered. In order. */
  waits: readonly Span[]
  /** When it was on hold. In order. */
  holds: readonly Span[]
}

export interface Clock {
  targetMs: number
  /** How much of it has run by now, or had when it stopped. */
  runMs: number
  /** When it has run out, or will if nothing happens; null: it rests, or has stopped in time. */
  dueAt: number | null
  /** The same of the part from which on it is near its end. */
  nearAt: number | null
  /** Whether it stopped in time; null: it has not stopped. */
  isKept: boolean | null
}

/** The clock of the first reply; undefined where there is none to wait for. */
export function replyClock(
  course: Course,
  targetMs: number,
  schedule: Schedule,
  now: number,
): Clock | undefined {
  const { startedAt, completedAt, firstReplyAt, isFromContact, holds } = course
  if (!isFromContact) return undefined
  const stoppedAt = firstReplyAt ?? completedAt
  const spans = without([{ from: startedAt, to: stoppedAt }], holds)
  const clock = clockOf(spans, stoppedAt, targetMs, schedule, now)
  // Who ends it without a word has answered nothing, in time or not.
  return firstReplyAt === null && clock.isKept ? { ...clock, isKept: null } : clock
}

/** The clock of the end, which runs while the client waits. */
export function endClock(course: Course, targetMs: number, schedule: Schedule, now: number): Clock {
  const { completedAt, waits, holds } = course
  const spans = waits.map(({ from, to }) => ({ from, to: to ?? completedAt }))
  return clockOf(without(spans, holds), completedAt, targetMs, schedule, now)
}

/** The spans without what lies within holes, in order. */
export function without(spans: readonly Span[], holes: readonly Span[]): Span[] {
  let rest = [...spans]
  for (const hole of holes) {
    const holeEnd = hole.to ?? Infinity
    rest = rest.flatMap(({ from, to }) => {
      const end = to ?? Infinity
      if (holeEnd <= from || hole.from >= end) return [{ from, to }]
      return [
        ...(from < hole.from ? [{ from, to: hole.from }] : []),
        ...(holeEnd < end ? [{ from: holeEnd, to }] : []),
      ]
    })
  }
  return rest
}

function clockOf(
  spans: readonly Span[],
  stoppedAt: number | null,
  targetMs: number,
  schedule: Schedule,
  now: number,
): Clock {
  let runMs = 0
  let dueAt: number | null = null
  let nearAt: number | null = null
  const nearMs = targetMs * nearPart
  for (const { from, to } of spans) {
    const before = runMs
    if (from < now || to === null) runMs += openBetween(schedule, from, Math.min(to ?? now, now))
    // Reached within this span, or, in the one that goes on, some day.
    const at = (ms: number) => (to === null || runMs >= ms ? openInstant(schedule, from, ms - before) : null)
    nearAt ??= at(nearMs)
    dueAt ??= at(targetMs)
  }
  if (stoppedAt === null) return { targetMs, runMs, dueAt, nearAt, isKept: null }
  return { targetMs, runMs, dueAt, nearAt, isKept: runMs < targetMs }
}

const openBetween = (schedule: Schedule, from: number, to: number): number =>
  to <= from ? 0 : openMsBetween(schedule, new Date(from), new Date(to))
