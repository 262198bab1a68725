import { type SQL, sql } from 'drizzle-orm'
import { shortDevice } from '#shared/text/device-name.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import type { PauseIcon } from '#shared/users/users.ts'
import type { Timesheet, Timesheets, WorkPeriod } from '#shared/workday/timesheets.ts'
import type { WorkState } from '#shared/workday/work-states.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { cutIntoDays, type Counted, type DaySpan, type Piece, sumDay } from './sheets.ts'
import { countWorked } from './worked.ts'

export interface TimesheetFilter {
  startDate: string
  endDate: string
  userId?: number | undefined
  sectorId?: number | undefined
}

/** Whose working days a person sees: everybody's, or that of the people of some sectors; always their own. */
type Seen = 'all' | { ownId: number; sectorIds: readonly number[] }

function seenBy(who: Who): Seen {
  // Not by 'viewTimesheets', which leads have, too.
  if (isPermitted(who, { act: 'correctTimesheets' })) return 'all'
  const led = who.sectors.flatMap(({ id, isLead }) => (isLead ? id : []))
  return { ownId: who.id, sectorIds: led }
}

/** Whether a user, as an SQL value, is one whose working days are asked for and may be seen. */
function isMeant(seen: Seen, { userId, sectorId }: TimesheetFilter, id: SQL): SQL {
  const inSectors = (ids: SQL) =>
    sql`exists (select from sector_people s where s.user_id = ${id} and s.sector_id = any(${ids}::int[]))`
  return sql.join(
    [
      seen === 'all'
        ? sql`true`
        : sql`(${id} = ${seen.ownId} or ${inSectors(sql`${sql.param([...seen.sectorIds])}`)})`,
      userId === undefined ? sql`true` : sql`${id} = ${userId}`,
      sectorId === undefined ? sql`true` : inSectors(sql`${sql.param([sectorId])}`),
    ],
    sql` and `,
  )
}

/** Whether the person sees somebody's working days; nobody's are seen by nobody. */
export async function sees(db: Db, who: Who, userId: number): Promise<boolean> {
  const asked = { startDate: '', endDate: '', userId }
  const found = await rows(
    db,
    sql`select from users u where ${isMeant(seenBy(who), asked, sql`u.id`)} limit 1`,
  )
  return found.length > 0
}

interface PeriodRow extends Record<string, unknown>, Counted {
  reasonName: string | null
  reasonIcon: PauseIcon | null
  device: string
  losses: number
  correction: { state: WorkState; reasonName: string | null; by: string; at: string; why: string } | null
}

/** The end of a period 'w': of one that goes on, now, while the person is connected. */
const endOfPeriod = sql`coalesce(w.ended_at, case when w.seen_at > app_now() - interval '90 seconds'
  then greatest(w.seen_at, app_now()) else w.seen_at end)`

const seconds = (time: SQL) => sql`floor(extract(epoch from ${time}))::float8`

/**
 * What people were in a period, as it counts. No period is longer than forty days: a session ends after
 * seven, and whoever begins another one has long been idle.
 */
function findPeriods(db: Db, seen: Seen, filter: TimesheetFilter, timezone: string): Promise<PeriodRow[]> {
  const midnight = (day: string, plus: number) =>
    sql`((${day}::date + ${plus}::int)::timestamp at time zone ${timezone})`
  return rows<PeriodRow>(
    db,
    sql`select w.id, w.user_id as "userId", coalesce(k.state, w.state) as state,
               case when k.id is not null then case when k.reason_id is not null then 'c' || w.id end
                    when w.reason_id is not null then w.reason_id || '@' || extract(epoch from w.paused_at)
                    end as "pauseKey",
               ${seconds(sql`case when k.id is null then w.paused_at
                                  when k.reason_id is not null then w.started_at end`)} as "pausedAt",
               case when k.id is not null then k.limit_minutes else w.limit_minutes end as "limitMinutes",
               coalesce(k.counts_as_work, w.counts_as_work) as "countsAsWork",
               ${seconds(sql`w.started_at`)} as "startedAt",
               ${seconds(endOfPeriod)} as "endedAt", w.ended_at is null as "isOpen",
               r.name as "reasonName", r.icon as "reasonIcon", w.device, w.losses,
               case when k.id is not null then json_build_object('state', w.state, 'reasonName', o.name,
                 'by', u.name, 'at', k.created_at, 'why', k.why) end as correction
          from work_periods w
          left join lateral (select * from work_corrections k where k.period_id = w.id
                              order by k.id desc limit 1) k on true
          left join pause_reasons o on o.id = w.reason_id
          left join pause_reasons r on r.id = case when k.id is not null then k.reason_id else w.reason_id end
          left join users u on u.id = k.by_user_id
         where w.started_at < ${midnight(filter.endDate, 1)}
           and w.started_at >= ${midnight(filter.startDate, -40)}
           and ${endOfPeriod} > ${midnight(filter.startDate, 0)}
           and ${isMeant(seen, filter, sql`w.user_id`)}
         order by w.user_id, w.started_at`,
  )
}

/** The days of a period, from midnight to midnight: in the night of another summer time, not 24 hours. */
function findDays(db: Db, { startDate, endDate }: TimesheetFilter, timezone: string): Promise<DaySpan[]> {
  const midnight = (day: SQL) => seconds(sql`(${day}::timestamp at time zone ${timezone})`)
  return rows<DaySpan & Record<string, unknown>>(
    db,
    sql`select to_char(d, 'YYYY-MM-DD') as day, ${midnight(sql`d`)} as "from",
               ${midnight(sql`(d + interval '1 day')`)} as "to"
          from generate_series(${startDate}::timestamp, ${endDate}::timestamp, '1 day') d order by 1`,
  )
}

/** The working days that a person sees. */
export async function readTimesheets(
  db: Db,
  who: Who,
  filter: TimesheetFilter,
  timezone: string,
): Promise<Timesheets> {
  const seen = seenBy(who)
  const [periods, days] = await Promise.all([
    findPeriods(db, seen, filter, timezone),
    findDays(db, filter, timezone),
  ])
  const pieces = Map.groupBy(
    cutIntoDays(periods, days),
    ({ period: { userId }, span }) => `${userId} ${span.day}`,
  )
  const sums = [...pieces.values()].flatMap((some) => {
    const [first, ...others] = some
    return first ? sumDay([first, ...others]) : []
  })
  const userIds = [...new Set(sums.map(({ userId }) => userId))]
  const [worked, people] = await Promise.all([
    countWorked(db, userIds, filter, timezone),
    rows<{ userId: number; name: string; picture: string | null }>(
      db,
      sql`select u.id as "userId", u.name, f.name as picture from users u
            left join files f on f.user_id = u.id where u.id = any(${sql.param(userIds)}::int[])`,
    ),
  ])
  const byName = people.toSorted((a, b) => a.name.localeCompare(b.name, 'pt-BR') || a.userId - b.userId)
  const place = new Map(byName.map(({ userId }, n) => [userId, n]))
  const instant = (at: number) => new Date(at * 1000).toISOString()
  const sheets = sums.map(({ firstAt, lastAt, pieces: parts, ...sum }): Timesheet => ({
    ...sum,
    firstAt: instant(firstAt),
    lastAt: instant(lastAt),
    ...(worked.get(`${sum.userId} ${sum.day}`) ?? { taken: 0, answered: 0, finished: 0 }),
    pieces: parts.map(({ from, to, kind }) => ({ from: instant(from), to: instant(to), kind })),
  }))
  const placeOf = ({ userId }: Timesheet) => place.get(userId) ?? 0
  return {
    timezone,
    isTeam: seen === 'all' || seen.sectorIds.length > 0,
    people: byName.map(({ picture, ...person }) => ({ ...person, pictureUrl: pictureUrlOf(picture) })),
    sheets: sheets.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.day < b.day ? -1 : 1)),
  }
}

/** What a person was in a period, cut at midnight; nothing of somebody whose days the reader does not see. */
export async function readPeriods(
  db: Db,
  who: Who,
  filter: TimesheetFilter & { userId: number },
  timezone: string,
): Promise<WorkPeriod[]> {
  const [periods, days] = await Promise.all([
    findPeriods(db, seenBy(who), filter, timezone),
    findDays(db, filter, timezone),
  ])
  return cutIntoDays(periods, days).map(toPeriod)
}

function toPeriod({ period, span, from, to, overFrom }: Piece): WorkPeriod {
  const { id, state, limitMinutes, countsAsWork, endedAt, isOpen, ...row } = period as PeriodRow
  const instant = (at: number) => new Date(at * 1000).toISOString()
  const { correction, reasonName, reasonIcon } = row
  return {
    id,
    day: span.day,
    from: instant(from),
    to: instant(to),
    isOpen: isOpen && to === endedAt,
    state,
    reason: reasonName !== null && reasonIcon !== null ? { name: reasonName, icon: reasonIcon } : null,
    limitMinutes,
    countsAsWork,
    overSeconds: to - overFrom,
    device: row.device === '' ? '' : shortDevice(row.device),
    losses: row.losses,
    correction: correction && { ...correction, at: new Date(correction.at).toISOString() },
  }
}
