import { type SQL, sql } from 'drizzle-orm'
import { type Grouping, noGroup } from '#shared/reports/figures.ts'
import { mostGroups, type OperatorPerformance, type ReportGroups } from '#shared/reports/report-parts.ts'
import { type ReportFilter } from '#shared/reports/reports.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { figureCondition, inReport, reportTables, type OfNumbers } from './filter.ts'
import { type Measures, measures } from './measures.ts'

const isNone = (value: SQL) => sql`coalesce(${value}, '${sql.raw(noGroup)}')`

const groupingOf: Record<Grouping, { tables: SQL; key: SQL; name: SQL }> = {
  operator: {
    tables: sql`left join users u on u.id = v.assigned_user_id`,
    key: isNone(sql`v.assigned_user_id::text`),
    name: sql`max(u.name)`,
  },
  // Categories are texts: one that was written in capitals is the same.
  category: {
    tables: sql``,
    key: isNone(sql`nullif(lower(c.category), '')`),
    name: sql`nullif(max(c.category), '')`,
  },
  company: {
    tables: sql`left join companies p on p.id = c.company_id`,
    key: isNone(sql`c.company_id::text`),
    name: sql`max(p.name)`,
  },
  // A conversation is in the group of each tag of its contact, once.
  tag: {
    tables: sql`left join lateral (
      select min(t.name) as name, t.folded from unnest(c.tags, c.tags_folded) as t (name, folded)
       group by t.folded) tag on true`,
    key: isNone(sql`tag.folded`),
    name: sql`max(tag.name)`,
  },
}

/** The figures of a period by group, the largest first. */
export async function reportGroups(
  db: Db,
  filter: ReportFilter & OfNumbers,
  by: Grouping,
  timezone: string,
): Promise<ReportGroups> {
  const { tables, key, name } = groupingOf[by]
  const found = await rows<{ key: string; name: string | null; figures: Measures }>(
    db,
    sql`select ${key} as key, ${name} as name, ${measures(timezone)} as figures
          from ${reportTables} ${tables}
         where ${inReport(filter, timezone)}
         group by 1 order by count(*) desc, 2, 1 limit ${mostGroups + 1}`,
  )
  const groups = found.slice(0, mostGroups).map(({ figures, ...group }) => ({ ...group, ...figures }))
  return { groups, hasMore: found.length > mostGroups }
}

/**
 * The period of each person with the role operator, by name: those who work here, and those who no longer do
 * and had conversations in it.
 * @see specification §2 Reports
 */
export async function operatorPerformance(
  db: Db,
  filter: ReportFilter & OfNumbers,
  timezone: string,
): Promise<OperatorPerformance> {
  const count = (figure: 'waiting_client' | 'waiting_operator' | 'completed') =>
    sql`(count(*) filter (where ${figureCondition(figure, timezone)}))::int`
  const counted = await rows<Row>(
    db,
    sql`with counted as (
          select v.assigned_user_id as user_id, count(*)::int as total, ${count('waiting_client')} as active,
                 ${count('completed')} as completed, ${count('waiting_operator')} as waiting
            from ${reportTables} where ${inReport(filter, timezone)} group by 1)
        select u.id, u.name, p.name as picture,
               (u.is_active and not u.is_blocked and u.deleted_at is null) as "isActive",
               n.total, n.active, n.completed, n.waiting
          from users u left join counted n on n.user_id = u.id left join files p on p.user_id = u.id
         where u.role = 'operator' and (u.deleted_at is null or n.total > 0)
           and ${filter.operatorId === undefined ? sql`true` : sql`u.id = ${filter.operatorId}`}
        union all
        select null, null, null, null, sum(n.total)::int, sum(n.active)::int, sum(n.completed)::int,
               sum(n.waiting)::int
          from counted n left join users u on u.id = n.user_id and u.role = 'operator'
         where u.id is null
         order by 2 nulls last, 1`,
  )
  const operators: OperatorPerformance['operators'] = []
  let others = { total: 0, active: 0, completed: 0, waiting: 0 }
  for (const { id, name, picture, isActive, ...row } of counted) {
    const counts = {
      total: row.total ?? 0,
      active: row.active ?? 0,
      completed: row.completed ?? 0,
      waiting: row.waiting ?? 0,
    }
    if (id === null) others = counts
    else
      operators.push({
        id,
        name: name ?? '',
        pictureUrl: pictureUrlOf(picture),
        isActive: isActive === true,
        ...counts,
      })
  }
  return { operators, others }
}

interface Row extends Record<string, unknown> {
  id: number | null
  name: string | null
  picture: string | null
  isActive: boolean | null
  total: number | null
  active: number | null
  completed: number | null
  waiting: number | null
}
