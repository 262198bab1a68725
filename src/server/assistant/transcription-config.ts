import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import type { ConfigRow } from './config.ts'

/** Whether sounds are put into words. */
export const isTranscribing = (row: ConfigRow | undefined): row is ConfigRow => row?.canTranscribe === true

const todayIn = (timezone: string): SQL => sql`to_char(app_now() at time zone ${timezone}, 'YYYY-MM-DD')`

/**
 * Takes seconds of sound out of what may be sent today: before they are sent, so that neither several workers
 * nor a crash exceed it.
 * @returns whether there was room for them
 */
export async function reserveSeconds(db: Db, seconds: number): Promise<boolean> {
  const today = todayIn((await getSettings(db)).timezone)
  const used = sql`case when transcribed_on = ${today} then transcribed_seconds else 0 end`
  const reserved = await rows(
    db,
    sql`update gpt_maker_config set transcribed_on = ${today}, transcribed_seconds = ${used} + ${seconds}::int
         where id = 1 and ${used} + ${seconds}::int <= transcription_day_minutes * 60 returning id`,
  )
  return reserved.length > 0
}

/** How many minutes of sound were sent today, begun ones counted. */
export async function transcribedMinutes(db: Db, timezone: string): Promise<number> {
  const [row] = await rows<{ minutes: number }>(
    db,
    sql`select ceil(transcribed_seconds / 60.0)::int as minutes from gpt_maker_config
         where id = 1 and transcribed_on = ${todayIn(timezone)}`,
  )
  return row?.minutes ?? 0
}
