import { appNow } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/db.ts'

/** By how much two clocks may differ about one moment. */
export const clockSlackMs = 120_000

/**
 * When a change was made by the phone's clock; now, when it does not say (0). A clock that runs ahead must
 * not make every later change an older one.
 */
export async function timeOf(db: Db, ms: number): Promise<Date> {
  const now = await appNow(db)
  return new Date(ms > 0 ? Math.min(ms, now.getTime() + clockSlackMs) : now)
}
