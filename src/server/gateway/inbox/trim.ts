import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'

const atOnce = 1000

/** Bodies that were processed, unless the plan of maintenance says otherwise. */
const processedDays = 30
/** Bodies that failed, or came for a number that we do not have: somebody may still have to look at them. */
const asideDays = 90

export function trimInboxJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-inbox',
    schedule: '47 * * * *',
    afterCrash: 'again',
    work: () => trimInbox(database),
  })
}

/**
 * Deletes bodies that nobody needs any more. The gateway repeats a webhook for minutes and the sweep reads
 * its record of some hours, so a month is far beyond what may come twice; a sync of old messages is
 * recognized by the messages. Where a period is chosen, the night's deletions come first, and count what
 * they delete.
 */
async function trimInbox(database: Database): Promise<void> {
  const [plan] = await rows<{ inboxDays: number | null }>(
    database,
    sql`select (plan ->> 'inboxDays')::int as "inboxDays" from maintenance_plans where id = 1`,
  )
  const days = plan?.inboxDays ? plan.inboxDays + 1 : processedDays
  for (let found = atOnce; found === atOnce;) {
    const gone = await rows(
      database,
      sql`delete from webhook_inbox where id = any(array(
            select i.id from webhook_inbox i
             where i.received_at <= app_now() - interval '1 day'
                     * case when i.processed_at is null then ${asideDays}::int else ${days}::int end
               and (i.processed_at is not null or i.dead_reason is not null or i.instance_id is null)
             order by i.received_at limit ${atOnce}))
          returning 1 as n`,
    )
    found = gone.length
  }
}
