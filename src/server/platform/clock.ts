import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

/** The current time of the product's clock, to which all stored times refer. */
export async function appNow(db: Db): Promise<Date> {
  const [clock] = await rows<{ now: string }>(db, sql`select app_now()::text as now`)
  if (!clock) throw new Error('the database has no clock')
  return new Date(clock.now)
}

/** The clock of this machine, in milliseconds since 1970, for comparing it with those of others. */
// oxlint-disable-next-line house/no-wall-clock -- it is what is examined
export const machineMs = (): number => Date.now()
