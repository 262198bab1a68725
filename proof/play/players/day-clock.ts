import type { Database } from '#server/platform/database/db.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { type DayMs, instantOf } from '../plan/day.ts'

/** The virtual clock of a day. */
export interface DayClock {
  /** The time of the day, including the real time since the last step. */
  nowMs(): DayMs
  /** Advances to a time of the day, unless it has passed. */
  goTo(at: DayMs): void
  /** Sets the product's clock to it. */
  show(): Promise<void>
}

/**
 * A smaller difference between the database's clock and this process's is not corrected, so that no step goes
 * back.
 */
const smallestStepMs = 5

/** @param database a separate connection, since the product's is closed during its restart */
export async function startDayClock(database: Database): Promise<DayClock> {
  const clock = await movableClock(database)
  await clock.set(instantOf(0))
  let [setMs, setAt] = [0, performance.now()]
  let isShown = true
  const nowMs = () => setMs + performance.now() - setAt
  return {
    nowMs,
    goTo(at) {
      if (at - nowMs() < smallestStepMs) return
      ;[setMs, setAt, isShown] = [at, performance.now(), false]
    },
    async show() {
      if (isShown) return
      isShown = true
      await clock.set(instantOf(nowMs()))
    },
  }
}
