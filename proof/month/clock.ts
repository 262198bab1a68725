import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import type { Clock } from '#simulator/world/clock.ts'
import { realClock } from '#simulator/world/clock.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Of São Paulo, the zone of the settings. */
const zoneMs = -3 * hourMs

/** One time for the product, its job queue and the gateway. It runs on from where it is set. */
export interface MonthClock {
  /** Sets the clock to an hour of a day by the zone of the settings: 23.5 is 23:30, day 0 is tomorrow. */
  goTo(day: number, hour: number): Promise<void>
}

/** The clock of a simulated gateway, before there is a database whose clock it follows. */
export interface GatewayClock extends Clock {
  aheadMs: number
}

export function gatewayClock(): GatewayClock {
  const clock: GatewayClock = { ...realClock, aheadMs: 0, now: () => Date.now() + clock.aheadMs }
  return clock
}

/** @param gateway follows the clock of the database */
export async function monthClock(database: Database, gateway: GatewayClock): Promise<MonthClock> {
  const product = await movableClock(database)
  // The queue deletes old jobs by a clock of its own.
  await database.execute(sql`create or replace function pgboss.job_now() returns timestamptz
    language sql stable as $$ select public.app_now() $$`)
  const midnightMs = Math.ceil((Date.now() + zoneMs) / dayMs) * dayMs - zoneMs
  return {
    async goTo(day, hour) {
      const atMs = midnightMs + day * dayMs + hour * hourMs
      await product.set(new Date(atMs))
      gateway.aheadMs = atMs - Date.now()
    },
  }
}
