import type { Schedule } from '#shared/settings/schedule.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'

const dayMs = 86_400_000

/** The open time of a schedule, prepared for many questions. */
export interface OpenTime {
  /** The open milliseconds between two instants, given in milliseconds; 0 if the second is not later. */
  between(fromMs: number, toMs: number): number
  /** Whether it is open at an instant in milliseconds. */
  isOpenAt(ms: number): boolean
}

/**
 * Prepares the open hours of a span of time, so that a question is two searches in a sorted list. Like
 * `openMsBetween`, which finds each change anew.
 * @param fromMs, toMs nothing outside of them is asked
 */
export function openTime(schedule: Schedule, fromMs: number, toMs: number): OpenTime {
  /** When it changes, ascending; it is open from the even ones on. */
  const changes: number[] = []
  /** Open milliseconds up to each change. */
  const openUntil: number[] = []
  let total = 0
  const add = (atMs: number) => {
    const last = changes.at(-1)
    if (last !== undefined && changes.length % 2 === 1) total += atMs - last
    changes.push(atMs)
    openUntil.push(total)
  }
  const startMs = fromMs - dayMs
  if (isOpen(schedule, new Date(startMs))) add(startMs)
  for (let atMs = startMs; atMs <= toMs;) {
    const next = nextChange(schedule, new Date(atMs))?.getTime()
    if (next === undefined) break
    add(next)
    atMs = next
  }
  const openBefore = (ms: number) => {
    const index = lastAtMost(changes, ms)
    if (index < 0) return 0
    const isWithin = index % 2 === 0
    return (openUntil[index] ?? 0) + (isWithin ? ms - (changes[index] ?? ms) : 0)
  }
  return {
    between: (from, to) => (to <= from ? 0 : openBefore(to) - openBefore(from)),
    isOpenAt: (ms) => lastAtMost(changes, ms) % 2 === 0,
  }
}

/** The place of the last number that is not greater; -1 if there is none. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
