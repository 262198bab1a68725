import { type SQL, sql } from 'drizzle-orm'
import { type Figure, isTimeFigure, type TimeFigure } from '#shared/reports/figures.ts'
import type { ReportRow, RowOrder, RowsFilter } from '#shared/reports/report-parts.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isReported } from './facts-worker.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import { isInReach, reachColumns } from '#server/platform/http/reach.ts'
import { tagNames } from '#server/tags/tags.ts'
import { hasComment, inRows, reportTables, type ToReader } from './filter.ts'

const timesOf: Record<TimeFigure, { open: SQL; clock: SQL }> = {
  first_reply: { open: sql`f.open_first_reply_ms`, clock: sql`f.first_reply_ms` },
  queue: { open: sql`f.open_queue_ms`, clock: sql`f.queue_ms` },
  handling: { open: sql`f.open_handling_ms`, clock: sql`f.handling_ms` },
}

/** The longest times first; the newest first where there is none. */
function orderOf(figure: Figure | undefined, order: RowOrder | undefined): SQL {
  const times = figure && isTimeFigure(figure) ? timesOf[figure] : undefined
  const recent = sql`f.started_at desc, v.id desc`
  if (order === 'oldest') return sql`f.started_at, v.id`
  if (order === 'stars') return sql`v.satisfaction nulls last, ${recent}`
  if (order === 'recent' || !times) return recent
  const first = order === 'clock' ? times.clock : times.open
  return sql`${first} desc nulls last, ${recent}`
}

const columns = sql`v.id, v.protocol, v.contact_id as "contactId", c.name as "contactName",
  c.avatar_url as "avatarUrl", c.category, k.color as "categoryColor", p.name as "companyName",
  v.assigned_user_id as "assignedUserId", u.name as "operatorName", v.status,
  (select z.name from sectors z where z.id = v.sector_id) as "sectorName",
  (select r.path from finish_reasons r where r.id = v.finish_reason_id) as "reasonName",
  ${tagNames(sql`v.tag_ids`)} as "tagNames",
  v.waiting_for as "waitingFor",
  (v.status <> 'completed' and v.sub_status = 'FILA' and v.waiting_for = 'operator') as "isQueued",
  v.started_at as "startedAt", v.completed_at as "completedAt", f.ended_by as "endedBy",
  v.message_count as "messageCount", v.contact_message_count as "contactMessageCount",
  f.first_reply_ms::float8 as "firstReplyMs", f.open_first_reply_ms::float8 as "openFirstReplyMs",
  f.queue_ms::float8 as "queueMs", f.open_queue_ms::float8 as "openQueueMs",
  f.handling_ms::float8 as "handlingMs", f.open_handling_ms::float8 as "openHandlingMs",
  v.satisfaction, case when ${hasComment} then g.feedback end as feedback`

const tables = sql`${reportTables}
  left join contact_categories k on lower(k.name) = lower(c.category)
  left join companies p on p.id = c.company_id
  left join users u on u.id = v.assigned_user_id
  left join conversation_ratings g on g.conversation_id = v.id`

interface Found extends Omit<ReportRow, 'startedAt' | 'completedAt'>, Record<string, unknown> {
  startedAt: string
  completedAt: string | null
}

const toRow = (row: Found): ReportRow => ({
  ...row,
  startedAt: new Date(row.startedAt).toISOString(),
  completedAt: row.completedAt === null ? null : new Date(row.completedAt).toISOString(),
})

interface Asked {
  filter: RowsFilter & ToReader
  order: RowOrder | undefined
  timezone: string
}

/** Conversations are due in their order but for some that are written at once. */
const mostDue = 1000

/**
 * Until when a list shows what was started: the newest conversation whose facts are there, and before the
 * oldest one whose facts are still to come, or that one would come between pages that are read already.
 * @returns ISO 8601
 */
export async function endOfRows(db: Db): Promise<string> {
  const oldestDue = sql`(select min(v.started_at)
    from (select conversation_id from facts_due order by id limit ${mostDue}) d
    join conversations v on v.id = d.conversation_id
   where ${isReported} and not exists (select from conversation_facts f where f.conversation_id = v.id))`
  const newest = sql`coalesce((select max(started_at) from conversation_facts), app_now())`
  const [row] = await rows<{ newestMs: number; dueMs: number | null }>(
    db,
    sql`select ceil(extract(epoch from ${newest}) * 1000)::float8 as "newestMs",
               floor(extract(epoch from ${oldestDue}) * 1000)::float8 as "dueMs"`,
  )
  return new Date(Math.min(row?.newestMs ?? 0, (row?.dueMs ?? Infinity) - 1)).toISOString()
}

/** A page of the conversations behind a figure. */
export async function reportPage(
  db: Db,
  { filter, order, timezone }: Asked,
  { page, limit, asOf }: { page: number; limit: number; asOf: string },
): Promise<{ conversations: ReportRow[]; total: number }> {
  const where = sql`${inRows(filter, timezone)} and f.started_at <= ${asOf}::timestamptz`
  const [counted] = await rows<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${reportTables} where ${where}`,
  )
  // Sorted without what is shown of a row, which is read for those of the page alone.
  const found = await rows<Found>(
    db,
    sql`with chosen as (
          select v.id, row_number() over (order by ${orderOf(filter.figure, order)}) as n
            from ${reportTables} where ${where}
           order by n limit ${limit} offset ${(page - 1) * limit})
        select ${columns} from chosen join (${tables}) on v.id = chosen.id order by chosen.n`,
  )
  return { conversations: found.map(toRow), total: counted?.total ?? 0 }
}

const atOnce = 2000

/** All of them, for a file: of what leaves the reader's reach meanwhile nothing more is read. */
export async function* allRows(db: Db, { filter, order, timezone }: Asked): AsyncGenerator<ReportRow> {
  const where = inRows(filter, timezone)
  const ids = await rows<{ id: number }>(
    db,
    sql`select v.id from ${reportTables} where ${where} order by ${orderOf(filter.figure, order)}`,
  )
  for (let first = 0; first < ids.length; first += atOnce) {
    if (filter.who) await confirmRights(filter.who)
    const isReached = (filter.who && isInReach(filter.who, reachColumns('v'))) ?? sql`true`
    const some = ids.slice(first, first + atOnce).map(({ id }) => id)
    const found = await rows<Found>(
      db,
      sql`select ${columns} from unnest(${sql.param(some)}::int[]) with ordinality as chosen (id, n)
            join (${tables}) on v.id = chosen.id
           where ${isReached} order by chosen.n`,
    )
    yield* found.map(toRow)
  }
}
