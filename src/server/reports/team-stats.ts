import { sql } from 'drizzle-orm'
import type { TeamStats } from '#shared/reports/team-stats.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { isInReach, reachColumns, reachesAll } from '#server/platform/http/reach.ts'
import { inReport, reportTables } from './filter.ts'

/**
 * The mean first reply by who has the conversation, of those that began today: the report of the day.
 * Of all numbers, since it is about the work of each colleague; for a reader with a narrower scope of what
 * that lets them see, as all that stands beside it.
 */
export async function teamStats(db: Db, who: Who, timezone: string): Promise<TeamStats> {
  const [now] = await rows<{ today: string }>(
    db,
    sql`select to_char(app_now() at time zone ${timezone}, 'YYYY-MM-DD') as today`,
  )
  if (!now) throw new Error('the database has no clock')
  const isSeen = reachesAll(who) ? undefined : isInReach(who, reachColumns('v'))
  const today = { startDate: now.today, endDate: now.today }
  return rows<TeamStats[number]>(
    db,
    sql`select v.assigned_user_id as "userId", count(*)::int as replied,
               (count(*) - count(f.open_first_reply_ms))::int as outside,
               avg(f.open_first_reply_ms)::float8 as "openMs", avg(f.first_reply_ms)::float8 as "clockMs"
          from ${reportTables}
         where ${inReport(today, timezone)} and f.first_reply_ms is not null
           and v.assigned_user_id is not null and ${isSeen ?? sql`true`}
         group by 1 order by 1`,
  )
}
