import { sql } from 'drizzle-orm'
import type { Stats } from '#shared/conversations/stats.ts'
import { getStats } from '#shared/conversations/stats.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { isInReach, isOfQueueOf, reachColumns } from '#server/platform/http/reach.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { countOnline } from '#server/platform/live/presence.ts'
import { getSettings } from '#server/settings/settings.ts'

export const queueBlock = 'GET /api/stats (queue block)'
export const statisticsBlock = 'GET /api/stats (statistics block)'

/**
 * The current statistics that the person may see. Days, weeks (from Monday) and months are those of the
 * settings' time zone.
 * @see decisions §3 Statistics
 */
export async function statsFor(db: Db, who: Who): Promise<Stats> {
  const [queue, statistics] = await Promise.all([
    isPermitted(who, getStats.rows[queueBlock]) ? queueNumbers(db, who) : {},
    isPermitted(who, getStats.rows[statisticsBlock]) ? statisticsNumbers(db) : {},
  ])
  return { ...queue, ...statistics }
}

/** Of what is within the person's reach, as their list: of who waits also what they see as a card. */
async function queueNumbers(
  db: Db,
  who: Who,
): Promise<Pick<Stats, 'completedToday' | 'today' | 'waiting' | 'inProgress'>> {
  const { timezone } = await getSettings(db)
  const isGiven = isInReach(who, reachColumns('conversations')) ?? sql`true`
  const isCard = sql`(waiting_for = 'operator' and sector_id is not null
                     and ${isOfQueueOf(who, reachColumns('conversations')) ?? sql`true`})`
  const [row] = await rows<{ completedToday: number; today: string; waiting: number; inProgress: number }>(
    db,
    sql`select (select count(*)::int from conversations where status = 'completed' and ${isGiven}
                   and completed_at >= date_trunc('day', app_now() at time zone ${timezone})
                                       at time zone ${timezone}
                   and not is_history and pre_attendance_stage is distinct from 'waiting_option'
                   and pre_attendance_stage is distinct from 'cancelled') as "completedToday",
               to_char(app_now() at time zone ${timezone}, 'YYYY-MM-DD') as today,
               (select count(*)::int from conversations
                 where status <> 'completed' and sub_status = 'FILA' and snoozed_until is null
                   and (${isGiven} or ${isCard})) as waiting,
               (select count(*)::int from conversations
                 where status <> 'completed' and sub_status <> 'FILA' and snoozed_until is null
                   and ${isGiven}) as "inProgress"`,
  )
  return row ?? {}
}

/** Of all numbers: they are about the team, and tell nothing of a client. */
async function statisticsNumbers(db: Db): Promise<Stats> {
  const [means, [row], online] = await Promise.all([
    meanTimes(db),
    rows<{ total: number }>(
      db,
      sql`select count(*)::int as total from users
           where role = 'operator' and is_active and not is_blocked and deleted_at is null`,
    ),
    countOnline(db, 'operator'),
  ])
  return { ...means, operatorsOnline: online, totalOperators: row?.total ?? 0 }
}

type MeanTimes = Pick<Stats, 'averageResponseTimeMonthly' | 'averageResponseTimeWeekly'>

/** Means that took this long are kept for fifty times as long: everybody asks for the same ones. */
const keptFromMs = 20
const keptFactor = 50
const longestKeptMs = 60_000
const kept = new WeakMap<object, { means: Promise<MeanTimes>; until: number }>()

async function meanTimes(db: Db): Promise<MeanTimes> {
  const known = kept.get(db)
  if (known && performance.now() < known.until) return known.means
  const began = performance.now()
  const means = readMeanTimes(db)
  // Whoever asks meanwhile waits for the same.
  kept.set(db, { means, until: Infinity })
  try {
    await means
    const tookMs = performance.now() - began
    if (tookMs < keptFromMs) kept.delete(db)
    else kept.set(db, { means, until: performance.now() + Math.min(longestKeptMs, keptFactor * tookMs) })
  } catch {
    kept.delete(db)
  }
  return means
}

async function readMeanTimes(db: Db): Promise<MeanTimes> {
  const { timezone } = await getSettings(db)
  const since = (unit: 'month' | 'week') =>
    sql`(select avg(response_ms)::float8 / 1000 from messages where response_ms is not null
          and sort_at >= date_trunc(${unit}, app_now() at time zone ${timezone}) at time zone ${timezone})`
  const [row] = await rows<{ monthly: number | null; weekly: number | null }>(
    db,
    sql`select ${since('month')} as monthly, ${since('week')} as weekly`,
  )
  return {
    averageResponseTimeMonthly: row?.monthly ?? null,
    averageResponseTimeWeekly: row?.weekly ?? null,
  }
}
