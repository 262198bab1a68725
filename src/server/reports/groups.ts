import { type SQL, sql } from 'drizzle-orm'
import { type Grouping, noGroup } from '#shared/reports/figures.ts'
import { mostGroups, type OperatorPerformance, type ReportGroups } from '#shared/reports/report-parts.ts'
import type { ReportFilter, Times } from '#shared/reports/reports.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { endKey, inReport, localStart, reportTables, type ToReader } from './filter.ts'
import { type Measures, measures } from './measures.ts'

const isNone = (value: SQL) => sql`coalesce(${value}, '${sql.raw(noGroup)}')`

const groupingOf: Record<Grouping, { tables: SQL; key: SQL | ((timezone: string) => SQL); name: SQL }> = {
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
  sector: {
    tables: sql`left join sectors z on z.id = v.sector_id`,
    key: isNone(sql`v.sector_id::text`),
    name: sql`max(z.name)`,
  },
  reason: {
    tables: sql`left join finish_reasons r on r.id = v.finish_reason_id`,
    key: isNone(endKey),
    name: sql`max(r.path)`,
  },
  hour: {
    tables: sql``,
    key: (timezone) => sql`extract(hour from ${localStart(timezone)})::int::text`,
    name: sql`null::text`,
  },
  // A conversation is in the group of each of its tags.
  conversationTag: {
    tables: sql`left join conversation_tags t on t.id = any(v.tag_ids)`,
    key: () => isNone(sql`t.id::text`),
    name: sql`max(t.name)`,
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
  filter: ReportFilter & ToReader,
  by: Grouping,
  timezone: string,
): Promise<ReportGroups> {
  const { tables, key: given, name } = groupingOf[by]
  const key = typeof given === 'function' ? given(timezone) : given
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
  filter: ReportFilter & ToReader,
  timezone: string,
): Promise<OperatorPerformance> {
  const found = await rows<Row>(
    db,
    sql`with counted as (
          select o.id as user_id, ${measures(timezone)} as figures
            from ${reportTables} left join users o on o.id = v.assigned_user_id and o.role = 'operator'
           where ${inReport(filter, timezone)} group by 1)
        select u.id, u.name, p.name as picture,
               (u.is_active and not u.is_blocked and u.deleted_at is null) as "isActive", n.figures
          from users u left join counted n on n.user_id = u.id left join files p on p.user_id = u.id
         where u.role = 'operator' and (u.deleted_at is null or n.user_id is not null)
           and ${filter.operatorId === undefined ? sql`true` : sql`u.id = ${filter.operatorId}`}
        union all
        select null, null, null, null, n.figures from counted n where n.user_id is null
         order by 2 nulls last, 1`,
  )
  const operators: OperatorPerformance['operators'] = []
  let others = ofOperator(null)
  for (const { id, name, picture, isActive, figures } of found) {
    if (id === null) others = ofOperator(figures)
    else
      operators.push({
        id,
        name: name ?? '',
        pictureUrl: pictureUrlOf(picture),
        isActive: isActive === true,
        ...ofOperator(figures),
      })
  }
  return { operators, others }
}

/** What the table says of somebody's conversations. @param figures null without any */
function ofOperator(figures: Measures | null): OperatorPerformance['others'] {
  if (!figures)
    return {
      total: 0,
      active: 0,
      completed: 0,
      waiting: 0,
      firstReply: noTimes,
      handling: noTimes,
      rated: { count: 0, mean: null, commented: 0 },
    }
  const { total, active, completed, activeWaiting: waiting, firstReply, handling, rated } = figures
  return { total, active, completed, waiting, firstReply, handling, rated }
}

const noSpread = { mean: null, median: null, p90: null }
const noTimes: Times = { count: 0, outside: 0, open: noSpread, clock: noSpread }

interface Row extends Record<string, unknown> {
  id: number | null
  name: string | null
  picture: string | null
  isActive: boolean | null
  figures: Measures | null
}
