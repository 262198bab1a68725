import type { Database } from '#server/platform/database/db.ts'
import { movableClock } from '#server/testing/movable-clock.ts'
import { type DayMs, instantOf } from '../plan/day.ts'

/** The clock of a day that is played in a minute. */
export interface DayClock {
  /** Since the day began, with what the machine has worked at since the last step. */
  nowMs(): DayMs
  /** Goes on to a moment of the day; one that is over by now is now. */
  goTo(at: DayMs): void
  /** The product's clock, too, shows what it is. */
  show(): Promise<void>
}

/** So far the database's clock and ours may be apart: less is no step, and none goes back. */
const smallestStepMs = 5

/** @param database of the proof's own: the product's is closed while we are away */
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
