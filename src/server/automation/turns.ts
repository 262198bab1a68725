import type { Load } from './queue.ts'

const everyMs = 60_000
/** Up to this position every step forward is announced; before that only larger ones. */
const nearPosition = 10
const greatStep = 5

/**
 * Whether to tell a client their new position: at most once a minute, and never one further back.
 * @param lastNotice the position that they were last notified of, and when; null: none
 */
export function isDueForPosition(
  lastNotice: { position: number | null; at: Date | null },
  position: number,
  now: Date,
): boolean {
  if (lastNotice.position === null || lastNotice.at === null || position >= lastNotice.position) return false
  if (now.getTime() - lastNotice.at.getTime() < everyMs) return false
  return position <= nearPosition || lastNotice.position - position >= greatStep
}

/**
 * The operator below capacity with the fewest open conversations; among equals, with the fewest that wait for
 * them.
 */
export function leastLoaded(loads: readonly Load[], capacity: number): Load | undefined {
  return loads
    .filter(({ waiting }) => waiting < capacity)
    .toSorted((a, b) => a.active - b.active || a.waiting - b.waiting || a.id - b.id)[0]
}
