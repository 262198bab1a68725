import type { DayMs } from '../plan/day.ts'

export interface Entry {
  at: DayMs
  work: () => Promise<void> | void
  /** It happens on a phone: the product's clock need not be set for it. */
  isOutside: boolean
}

/**
 * What is still to happen on the day, the earliest first; of two at one moment the one that was noted first.
 */
export interface Agenda {
  note(at: DayMs, work: Entry['work'], more?: { isOutside: boolean }): void
  /** Takes the earliest off; undefined: nothing more happens. */
  next(): Entry | undefined
}

export function createAgenda(): Agenda {
  const entries: Entry[] = []
  return {
    note(at, work, { isOutside } = { isOutside: false }) {
      let [from, to] = [0, entries.length]
      while (from < to) {
        const middle = (from + to) >> 1
        // The latest first, so that the earliest is popped off the end.
        if ((entries[middle] as Entry).at > at) from = middle + 1
        else to = middle
      }
      entries.splice(from, 0, { at, work, isOutside })
    },
    next: () => entries.pop(),
  }
}
