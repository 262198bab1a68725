/** For tests: the list as PostgreSQL filters, sorts and counts it, apart from the snapshot in memory. */
import { and, type AnyColumn, desc, eq, ilike, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { ListOrder, ListTab } from '#shared/conversations/list/list-view.ts'
import type { ListFilters } from '#shared/views/list-filters.ts'
import { isQueued } from '#server/automation/automation.ts'
import { listConversationRows } from '#server/conversations/store/rows.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isInReach } from '#server/platform/http/reach.ts'
import { foldedContains } from '#server/platform/database/folded.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import type { ListView } from './list-entries.ts'

const isWaiting = sql`${conversations.waitingSince} is not null`
const toMs = (column: AnyColumn) => sql`date_trunc('milliseconds', ${column})`
const latestFirst = [desc(toMs(conversations.lastActivityAt)), desc(conversations.id)]

/** Of the clock that a row shows: the one of the first reply, unless the other one runs out before. */
const rowClock = (part: 'due_at' | 'near_at') => sql`(
  select case when s.reply_due_at is not null and s.reply_kept is null
                   and coalesce(s.end_due_at >= s.reply_due_at, true) then s.reply_${sql.raw(part)}
              else s.end_${sql.raw(part)} end
    from sla_clocks s where s.conversation_id = ${conversations.id} and not s.is_over)`

/** The same orders as in `list-view.ts`, which has milliseconds. */
const listOrders: Record<ListOrder, SQL[]> = {
  /** The queue first, by who has waited longest; then the rest, newest start first. */
  start: [
    sql`${isQueued} desc`,
    sql`case when ${isQueued} then ${conversations.startedAt} end asc nulls last`,
    sql`case when ${isQueued} then ${conversations.id} end asc nulls last`,
    desc(conversations.startedAt),
    desc(conversations.id),
  ],
  waiting: [
    sql`${toMs(conversations.waitingSince)} asc nulls last`,
    sql`case when ${isWaiting} then ${conversations.id} end asc nulls last`,
    ...latestFirst,
  ],
  activity: latestFirst,
  sla: [
    sql`date_trunc('milliseconds', ${rowClock('due_at')}) asc nulls last`,
    sql`case when ${rowClock('due_at')} is not null then ${conversations.id} end asc nulls last`,
    sql`${toMs(conversations.waitingSince)} asc nulls last`,
    sql`case when ${isWaiting} then ${conversations.id} end asc nulls last`,
    ...latestFirst,
  ],
  return: [
    sql`${toMs(conversations.snoozedUntil)} asc nulls last`,
    sql`case when ${conversations.snoozedUntil} is not null then ${conversations.id} end asc nulls last`,
    ...latestFirst,
  ],
}

interface SearchedView extends Omit<ListView, 'moment' | 'filters'> {
  search: string
  filters?: ListFilters
}

function isListed({ search, tab, who, filters = {} }: SearchedView): SQL | undefined {
  const isAwake = filters.snoozed === undefined ? isNull(conversations.snoozedUntil) : undefined
  const isOfTab: Record<ListTab, SQL | undefined> = {
    all: search.trim() === '' ? isAwake : undefined,
    mine: and(eq(conversations.assignedUserId, who.id), isAwake),
    snoozed: isNotNull(conversations.snoozedUntil),
    queue: isQueued,
    waiting: and(eq(conversations.subStatus, 'FILA'), isAwake),
    going: and(ne(conversations.subStatus, 'FILA'), isAwake),
  }
  return and(
    isOpen,
    tab && isOfTab[tab],
    matches(search),
    isInReach(who, conversations),
    meetsInSql(filters, who.id),
  )
}

/** The filters as PostgreSQL decides about a row, without any code that the list uses. */
export function meetsInSql(filters: ListFilters, userId: number): SQL | undefined {
  const { instanceId, sectorId, personId, category, tagId, priority, waitingMinutes, unread, sla, snoozed } =
    filters
  return and(
    instanceId === undefined ? undefined : eq(conversations.instanceId, instanceId),
    ofAsked(sectorId, conversations.sectorId),
    ofAsked(personId, conversations.assignedUserId),
    category === undefined ? undefined : sql`lower(${contacts.category}) = lower(${category})`,
    tagId === 'none' ? sql`cardinality(${conversations.tagIds}) = 0` : undefined,
    typeof tagId === 'number' ? sql`${tagId}::int = any(${conversations.tagIds})` : undefined,
    priority === undefined ? undefined : eq(conversations.priority, priority),
    waitingMinutes === undefined
      ? undefined
      : sql`${conversations.waitingSince} <= app_now() - make_interval(mins => ${waitingMinutes}::int)`,
    unread === undefined
      ? undefined
      : sql`${conversations.contactMessageCount} > coalesce((
          select r.contact_message_count from conversation_reads r
           where r.conversation_id = ${conversations.id} and r.user_id = ${userId}), 0)`,
    sla === undefined ? undefined : sql`${rowClock(sla === 'near' ? 'near_at' : 'due_at')} <= app_now()`,
    snoozed === 'only' ? isNotNull(conversations.snoozedUntil) : undefined,
  )
}

const ofAsked = (asked: number | 'none' | undefined, column: AnyColumn): SQL | undefined =>
  asked === undefined ? undefined : asked === 'none' ? isNull(column) : eq(column, asked)

function matches(search: string): SQL | undefined {
  const words = search.trim()
  if (words === '') return undefined
  const digits = words.replace(/\D/g, '')
  const isNumber = digits.length > 0 && /^[\d\s()+.-]+$/.test(words)
  return or(
    foldedContains(contacts.nameFolded, words),
    isNumber ? ilike(contacts.phone, `%${digits}%`) : undefined,
    isNumber ? ilike(conversations.protocol, `%${digits}%`) : undefined,
  )
}

export async function listOpenRows(db: Db, page?: SearchedView & { limit: number; offset: number }) {
  const query = db
    .select({ id: conversations.id })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(page ? isListed(page) : isOpen)
    .orderBy(
      // To them it has returned.
      sql`(${conversations.returnedAt} is not null
           and ${conversations.assignedUserId} = ${page?.who.id ?? null}::int) is not true`,
      ...listOrders[page?.order ?? 'start'],
    )
  const found = await (page ? query.limit(page.limit).offset(page.offset) : query)
  const ids = found.map(({ id }) => id)
  const rows = new Map((await listConversationRows(db, ids)).map((row) => [row.conversation.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

export async function countOpen(db: Db, view: SearchedView): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(isListed(view))
  return row?.n ?? 0
}
