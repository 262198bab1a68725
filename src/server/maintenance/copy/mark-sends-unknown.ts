import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/**
 * Makes every waiting send one whose outcome is unknown. The installation that was copied may have sent it
 * since: the gateway's record is asked, and only what it does not have is sent. Of whatever version.
 */
export async function markSendsUnknown(db: Db): Promise<void> {
  await db.execute(
    sql`with doubted as (
          update outbox set state = 'unknown', lease_until = null, unknown_since = app_now(),
                 is_recorded = true, first_attempt_at = coalesce(first_attempt_at, created_at),
                 last_error = 'copied'
           where state in ('pending', 'sending') returning message_id)
        update messages m set delivery_status = 'unknown', version = version + 1
          from doubted d where m.id = d.message_id`,
  )
}
