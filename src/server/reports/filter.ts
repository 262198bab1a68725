import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type Figure, type Grouping, noGroup, otherGroup } from '#shared/reports/figures.ts'
import type { RowsFilter } from '#shared/reports/report-parts.ts'
import type { StatsFilter } from '#shared/reports/reports.ts'
import type { Who } from '#server/platform/http/access.ts'
import { isInReach, reachColumns } from '#server/platform/http/reach.ts'
import { isAutomaticEnd } from '#shared/text/conversations/reason-texts.ts'
import type { SlaClockName } from '#shared/sla/clocks.ts'
import { fold } from '#shared/text/fold.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isReported } from './facts-worker.ts'

// Conditions of a conversation 'v' with its facts 'f', its contact 'c' and its clocks 'sla'.

/** When the conversation began, in local time. */
export const localStart = (timezone: string) => sql`(f.started_at at time zone ${timezone})`
const localEnd = (timezone: string) => sql`(v.completed_at at time zone ${timezone})`

const endsOnItsDay = (timezone: string) =>
  sql`(v.status = 'completed' and ${localEnd(timezone)}::date = ${localStart(timezone)}::date)`

/** Of a rating 'g': the client also wrote something. */
export const hasComment = sql`coalesce(g.feedback ~ '[^[:space:]]', false)`

/** The conversations that each figure counts. The counts and the lists behind them both come from here. */
export function figureCondition(figure: Figure, timezone: string): SQL {
  switch (figure) {
    case 'total':
      return sql`true`
    case 'waiting_client':
      return sql`(v.status <> 'completed' and v.waiting_for = 'client')`
    case 'waiting_operator':
      return sql`(v.status <> 'completed' and v.waiting_for = 'operator')`
    case 'in_queue':
      return sql`(v.status <> 'completed' and v.waiting_for = 'operator' and v.sub_status = 'FILA')`
    case 'active':
      return sql`(v.status <> 'completed' and v.assigned_user_id is not null)`
    case 'active_waiting':
      return sql`(v.status <> 'completed' and v.assigned_user_id is not null and v.waiting_for = 'operator')`
    case 'completed':
      return sql`v.status = 'completed'`
    case 'same_day':
      return endsOnItsDay(timezone)
    case 'left_open':
      return sql`not ${endsOnItsDay(timezone)}`
    case 'first_reply':
      return sql`f.first_reply_ms is not null`
    case 'queue':
      return sql`f.queue_ms is not null`
    case 'handling':
      return sql`f.handling_ms is not null`
    case 'rated':
      return sql`v.satisfaction is not null`
    case 'commented':
      return sql`exists (select from conversation_ratings g
                          where g.conversation_id = v.id and ${hasComment})`
    case 'by_person':
      return sql`f.ended_by = 'person'`
    case 'by_inactivity':
      return sql`f.ended_by = 'inactivity'`
    case 'reply_kept':
      return sql`sla.reply_kept`
    case 'reply_broken':
      return isBroken('reply')
    case 'end_kept':
      return sql`sla.end_kept`
    case 'end_broken':
      return isBroken('end')
  }
}

/** Of a clock 'sla': it stopped too late, or runs and is late already. */
const isBroken = (clock: SlaClockName) => {
  const [kept, due] = ['kept', 'due_at'].map((name) => sql.raw(`sla.${clock}_${name}`))
  return sql`(${kept} = false or (${kept} is null and ${due} <= app_now()))`
}

/** Why a conversation ended, as a person has said, or what has ended it by itself; null: neither is known. */
export const endKey = sql`coalesce(v.finish_reason_id::text, nullif(f.ended_by, 'person'))`

/** The conversations of a group. */
function groupCondition(by: Grouping, key: string, timezone: string): SQL {
  const number = /^\d{1,10}$/.test(key) ? Number(key) : 0
  switch (by) {
    case 'operator':
      if (key === otherGroup)
        return sql`not exists (select from users o where o.id = v.assigned_user_id and o.role = 'operator')`
      return key === noGroup ? sql`v.assigned_user_id is null` : sql`v.assigned_user_id = ${number}::bigint`
    case 'category':
      return sql`lower(c.category) = lower(${key === noGroup ? '' : key})`
    case 'company':
      return key === noGroup ? sql`c.company_id is null` : sql`c.company_id = ${number}::bigint`
    case 'sector':
      return key === noGroup ? sql`v.sector_id is null` : sql`v.sector_id = ${number}::bigint`
    case 'reason':
      if (key === noGroup) return sql`${endKey} is null`
      return isAutomaticEnd(key) ? sql`${endKey} = ${key}` : sql`v.finish_reason_id = ${number}::bigint`
    case 'hour':
      return sql`extract(hour from ${localStart(timezone)}) = ${number}::bigint`
    case 'conversationTag':
      return key === noGroup
        ? sql`v.tag_ids = '{}'`
        : sql`v.tag_ids @> array[least(${number}::bigint, 2147483647)::int]`
    case 'tag':
      return key === noGroup ? sql`c.tags = '{}'` : sql`c.tags_folded @> array[${fold(key)}]`
  }
}

const midnight = (day: string, timezone: string, plus = 0) =>
  sql`((${day}::date + ${plus}::int)::timestamp at time zone ${timezone})`

/** The present time of day, on another day. */
const timeOfDay = (day: string, timezone: string) =>
  sql`((${day}::date + (app_now() at time zone ${timezone})::time) at time zone ${timezone})`

/** To whom something is reported: only what is within their reach; absent: everything. */
export interface ToReader {
  who?: Who
}

/** The conversations of a report. */
export function inReport(filter: StatsFilter & ToReader, timezone: string): SQL {
  const { startDate, endDate, operatorId, instanceId, sectorId, category, companyId, tag, who, until } =
    filter
  return allOf([
    sql`f.started_at >= ${midnight(startDate, timezone)}`,
    sql`f.started_at < ${midnight(endDate, timezone, 1)}`,
    until === 'now' && sql`f.started_at < ${timeOfDay(endDate, timezone)}`,
    // The facts may be of a moment ago.
    isReported,
    (who && isInReach(who, reachColumns('v'))) ?? false,
    instanceId !== undefined && sql`v.instance_id = ${instanceId}`,
    sectorId !== undefined && sql`v.sector_id = ${sectorId}`,
    operatorId !== undefined && sql`v.assigned_user_id = ${operatorId}`,
    category !== undefined && sql`lower(c.category) = lower(${category})`,
    companyId !== undefined && sql`c.company_id = ${companyId}`,
    tag !== undefined && sql`c.tags_folded @> array[${fold(tag)}]`,
  ])
}

/** The conversations of a report behind a figure. */
export function inRows(filter: RowsFilter & ToReader, timezone: string): SQL {
  const { figure, from, to, weekday, hour, stars, by, key } = filter
  const local = localStart(timezone)
  return allOf([
    inReport(filter, timezone),
    figure !== undefined && figureCondition(figure, timezone),
    from !== undefined && sql`f.started_at >= ${midnight(from, timezone)}`,
    to !== undefined && sql`f.started_at < ${midnight(to, timezone, 1)}`,
    weekday !== undefined && sql`extract(dow from ${local}) = ${Number(weekday)}::int`,
    hour !== undefined && sql`extract(hour from ${local}) = ${hour}::int`,
    stars !== undefined && sql`v.satisfaction = ${Number(stars)}::int`,
    by !== undefined && key !== undefined && groupCondition(by, key, timezone),
  ])
}

function allOf(conditions: readonly (SQL | false)[]): SQL {
  return sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )
}

export const reportTables = sql`conversation_facts f
  join conversations v on v.id = f.conversation_id
  join contacts c on c.id = v.contact_id
  left join sla_clocks sla on sla.conversation_id = v.id`

/** @throws AppError 404 for an operator that does not exist */
export async function expectOperator(db: Db, operatorId: number | undefined): Promise<void> {
  if (operatorId === undefined) return
  const found = await rows(db, sql`select from users where id = ${operatorId}`)
  if (found.length === 0) throw new AppError('users.not_found')
}
