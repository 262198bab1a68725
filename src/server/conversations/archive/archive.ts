import { sql } from 'drizzle-orm'
import {
  listArchived,
  type ArchivedPage,
  type ArchiveFilter,
  type ArchiveOrder,
  mostFound,
} from '#shared/conversations/archive.ts'
import type { AutomaticEnd } from '#shared/text/conversations/reason-texts.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { listConversationRows } from '#server/conversations/store/rows.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import { archiveFilters, automaticEndOf, isUpTo, type Scope } from './archive-filters.ts'
import { hitsIn } from './hits.ts'
import { type Looked, searchArchive } from './search.ts'

const archiveOfAll = listArchived.rows['GET /api/conversations/archived (all)']

interface Asked extends ArchiveFilter {
  page: number
  limit: number
  search: string
  order: ArchiveOrder
  asOf: Date | undefined
}

/** A page of the archive as the person may see it. */
export async function listArchive(db: Database, who: Who, asked: Asked): Promise<ArchivedPage> {
  const { page, limit, search } = asked
  const isOwnOnly = !isPermitted(who, archiveOfAll)
  const [{ timezone }, asOf] = await Promise.all([
    getSettings(db),
    // The first page, too, ends there, or the second would begin elsewhere.
    asked.asOf ?? endOfList(db, search.trim() !== ''),
  ])
  const ownerId = isOwnOnly ? who.id : undefined
  const scope: Scope = { ownerId, who, timezone, asOf }
  const found = await (search.trim() === ''
    ? listIds(db, scope, asked)
    : findIds(db, scope, { ...asked, search: search.trim() }))
  const { ids, total, looked, corrected } = found
  const totalItems = Math.min(total, looked ? mostFound : total)
  const totalPages = Math.max(1, Math.ceil(totalItems / limit))
  return {
    conversations: await readRows(db, ids, looked),
    pagination: {
      currentPage: page,
      itemsPerPage: limit,
      totalItems,
      totalPages,
      hasNextPage: page < totalPages,
    },
    hasMore: total > totalItems,
    corrected,
    isOwnOnly,
    asOf: asOf.toISOString(),
  }
}

/**
 * Until when a list shows what was completed: the newest that is there, not the present moment, because
 * what is being completed now has an earlier time than that of its commit and would come between the pages
 * that are already read. For the same reason a search ends before the oldest conversation whose words are
 * not indexed yet.
 */
async function endOfList(db: Db, isSearch: boolean): Promise<Date> {
  const oldestDue = sql`(select min(due_at)
                           from (select s.due_at from search_due s
                                  where exists (select from conversations v
                                                 where v.id = s.conversation_id and v.status = 'completed')
                                  order by s.id limit ${mostDue}) d)`
  const newest = sql`(select max(v.completed_at) from conversations v where ${isArchived})`
  const [row] = await rows<{ newestMs: number; dueMs: number | null }>(
    db,
    sql`select ceil(extract(epoch from least(coalesce(${newest}, app_now()), app_now())) * 1000)::float8
                 as "newestMs",
               floor(extract(epoch from ${isSearch ? oldestDue : sql`null::timestamptz`}) * 1000)::float8
                 as "dueMs"`,
  )
  return new Date(Math.min(row?.newestMs ?? 0, (row?.dueMs ?? Infinity) - 1))
}

/** Conversations that the archive shows, of a conversation 'v'. */
const isArchived = sql`v.status = 'completed'
  and v.pre_attendance_stage is distinct from 'waiting_option'
  and v.pre_attendance_stage is distinct from 'cancelled'`

/** Conversations are due in the order of their ids but for some that are written at once. */
const mostDue = 1000

interface FoundIds {
  ids: number[]
  total: number
  looked?: Looked
  corrected: string[]
}

async function listIds(db: Db, scope: Scope, { page, limit, order, ...filter }: Asked): Promise<FoundIds> {
  const filters = archiveFilters(scope, filter)
  const from = sql`from conversations v
    ${filters === undefined ? sql`` : sql`join contacts c on c.id = v.contact_id`}
   where ${isArchived} and ${isUpTo(sql`v.completed_at`, scope)}
     ${filters === undefined ? sql`` : sql`and ${filters}`}`
  const direction = order === 'recent' ? sql`desc` : sql`asc`
  const [found, [counted]] = await Promise.all([
    rows<{ id: number }>(
      db,
      sql`select v.id ${from} order by v.completed_at ${direction}, v.id ${direction}
           limit ${limit} offset ${(page - 1) * limit}`,
    ),
    rows<{ count: number }>(db, sql`select count(*)::int as count ${from}`),
  ])
  return { ids: found.map(({ id }) => id), total: counted?.count ?? 0, corrected: [] }
}

async function findIds(
  db: Database,
  scope: Scope,
  { page, limit, order, ...filter }: Asked,
): Promise<FoundIds> {
  const { ids, corrected, ...looked } = await searchArchive(db, scope, filter)
  // Without those beyond what is counted, there would be no page for the last ones.
  const counted = ids.slice(0, mostFound)
  const ordered = order === 'recent' ? counted : counted.reverse()
  return { ids: ordered.slice((page - 1) * limit, page * limit), total: ids.length, looked, corrected }
}

async function readRows(
  db: Database,
  ids: number[],
  looked: Looked | undefined,
): Promise<ArchivedPage['conversations']> {
  if (ids.length === 0) return []
  const [found, ends, hits] = await Promise.all([
    listConversationRows(db, ids),
    automaticEnds(db, ids),
    looked ? hitsIn(db, ids, looked) : undefined,
  ])
  const byId = new Map(found.map((row) => [row.conversation.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const automaticEnd = ends.get(id) ?? null
    return [{ ...toConversation(row), automaticEnd, hits: [], hitCount: 0, ...hits?.get(id) }]
  })
}

/** What has ended these conversations, of those that no person has ended. */
async function automaticEnds(db: Db, ids: readonly number[]): Promise<Map<number, AutomaticEnd>> {
  const found = await rows<{ id: number; end: AutomaticEnd | null }>(
    db,
    sql`select v.id, ${automaticEndOf} as end from conversations v
         where v.id = any(${sql.param(ids)}::int[]) and v.status = 'completed'`,
  )
  return new Map(found.flatMap(({ id, end }) => (end === null ? [] : [[id, end]])))
}
