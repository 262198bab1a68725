import { sql } from 'drizzle-orm'
import { addDays, lastOfMonth, mondayOf, type TrendUnit, trendUnitOf } from '#shared/reports/periods.ts'
import type { ReportFilter, ReportStats, StatsFilter } from '#shared/reports/reports.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { figureCondition, inReport, localStart, reportTables, type ToReader } from './filter.ts'
import { type Measures, measures } from './measures.ts'

/** More changed conversations than these are not counted one by one. */
const mostDue = 1000

type Part = Omit<ReportStats['trend'][number], 'from' | 'to' | 'hour'>
type Hour = ReportStats['hours'][number]

/** The figures of a period. */
export async function reportStats(
  db: Db,
  filter: StatsFilter & ToReader,
  timezone: string,
): Promise<ReportStats> {
  const trendUnit = trendUnitOf(filter)
  const where = inReport(filter, timezone)
  const local = localStart(timezone)
  const replies = sql`count(f.first_reply_ms)::int as replied,
    (count(f.first_reply_ms) - count(f.open_first_reply_ms))::int as outside,
    avg(f.open_first_reply_ms)::float8 as open, avg(f.first_reply_ms)::float8 as clock`
  // One after another: a snapshot has one connection.
  const [whole] = await rows<{ figures: Measures; byTeam: number; stars: number[] }>(
    db,
    sql`select ${measures(timezone)} as figures,
                 (count(*) filter (where v.initiated_by = 'operator'))::int as "byTeam",
                 array[${sql.join(
                   [1, 2, 3, 4, 5].map((n) => sql`(count(*) filter (where v.satisfaction = ${n}::int))::int`),
                   sql`, `,
                 )}] as stars
            from ${reportTables} where ${where}`,
  )
  const parts = await rows<Part & { start: string }>(
    db,
    sql`select to_char(date_trunc(${trendUnit}, ${local}), 'YYYY-MM-DD HH24') as start,
                 count(*)::int as total,
                 (count(*) filter (where ${figureCondition('same_day', timezone)}))::int as "sameDay",
                 ${replies}
            from ${reportTables} where ${where} group by 1`,
  )
  const hours = await rows<Hour & Record<string, unknown>>(
    db,
    sql`select extract(dow from ${local})::int as weekday, extract(hour from ${local})::int as hour,
                 count(*)::int as total, ${replies}
            from ${reportTables} where ${where} group by 1, 2 order by 1, 2`,
  )
  const [due] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select from facts_due limit ${mostDue}) d`,
  )
  if (!whole) throw new Error('no figures')
  const byStart = new Map(parts.map(({ start, ...part }) => [start, part]))
  const none: Part = { total: 0, sameDay: 0, replied: 0, outside: 0, open: null, clock: null }
  return {
    ...whole.figures,
    byTeam: whole.byTeam,
    stars: whole.stars,
    trendUnit,
    trend: partsOf(filter, trendUnit).map(({ start, ...place }) => ({
      ...place,
      ...(byStart.get(start) ?? none),
    })),
    hours,
    due: due?.count ?? 0,
    timezone,
  }
}

interface Place {
  /** As PostgreSQL writes the beginning of the part: '2026-11-02 00'. */
  start: string
  from: string
  to: string
  hour: number | null
}

/** All parts of a period, without what is outside of it. */
function partsOf({ startDate, endDate }: ReportFilter, unit: TrendUnit): Place[] {
  if (unit === 'hour')
    return Array.from({ length: 24 }, (_, hour) => ({
      start: `${startDate} ${String(hour).padStart(2, '0')}`,
      from: startDate,
      to: startDate,
      hour,
    }))
  const places: Place[] = []
  for (let day = startDate; day <= endDate;) {
    const [first, last] = boundsOf(day, unit)
    const to = last < endDate ? last : endDate
    places.push({ start: `${first} 00`, from: day, to, hour: null })
    day = addDays(to, 1)
  }
  return places
}

function boundsOf(day: string, unit: Exclude<TrendUnit, 'hour'>): [string, string] {
  if (unit === 'day') return [day, day]
  if (unit === 'month') return [`${day.slice(0, 7)}-01`, lastOfMonth(day)]
  const monday = mondayOf(day)
  return [monday, addDays(monday, 6)]
}
