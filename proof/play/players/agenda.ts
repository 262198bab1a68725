import type { DayMs } from '../plan/day.ts'

export interface Entry {
  at: DayMs
  work: () => Promise<void> | void
  /** It happens on a phone, so that the product's clock need not be set for it. */
  isOutside: boolean
}

/** The coming events of the day, earliest first; at the same time, in the order they were added. */
export interface Agenda {
  note(at: DayMs, work: Entry['work'], more?: { isOutside: boolean }): void
  /** Removes and returns the earliest event, if any. */
  next(): Entry | undefined
}

export function createAgenda(): Agenda {
  const entries: Entry[] = []
  return {
    note(at, work, { isOutside } = { isOutside: false }) {
      let [from, to] = [0, entries.length]
      while (from < to) {
        const middle = (from + to) >> 1
        // Latest first, so that the earliest can be popped.
        if ((entries[middle] as Entry).at > at) from = middle + 1
        else to = middle
      }
      entries.splice(from, 0, { at, work, isOutside })
    },
    next: () => entries.pop(),
  }
}
