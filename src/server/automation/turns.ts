import type { Load } from './queue.ts'

const everyMs = 60_000
/** So near the end of the FILA every step is told; before that only great ones. */
const nearPosition = 10
const greatStep = 5

/**
 * Whether a client who was told his place is told another one: at most once a minute, and never a place further back.
 * @param told what he was told last, and when; null: nothing
 */
export function isDueForPosition(
  told: { position: number | null; at: Date | null },
  position: number,
  now: Date,
): boolean {
  if (told.position === null || told.at === null || position >= told.position) return false
  if (now.getTime() - told.at.getTime() < everyMs) return false
  return position <= nearPosition || told.position - position >= greatStep
}

/** Of those who are free whoever has the fewest open conversations; of equals, who has the fewest that wait for him. */
export function leastLoaded(loads: readonly Load[], capacity: number): Load | undefined {
  return loads
    .filter(({ waiting }) => waiting < capacity)
    .toSorted((a, b) => a.active - b.active || a.waiting - b.waiting || a.id - b.id)[0]
}
