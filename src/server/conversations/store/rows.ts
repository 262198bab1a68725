import { and, type AnyColumn, asc, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { ListOrder, ListTab } from '#shared/conversations/list-view.ts'
import type { Origin } from '#shared/messages/message-metadata.ts'
import { isQueued, isQueuedIn } from '#server/automation/automation.ts'
import { cardColumns, ofCategory, ofCompany } from '#server/contacts/contacts.ts'
import type { Db } from '#server/platform/database/db.ts'
import { foldedContains } from '#server/platform/database/folded.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { companies, contactCategories, contacts } from '#server/schema/contacts.ts'
import { conversations, messages, isOpen } from '#server/schema/conversations/conversations.ts'
import { users } from '#server/schema/users.ts'

/** Who wrote the last message. */
const senders = alias(users, 'senders')

const conversationColumns = {
  conversation: conversations,
  contact: cardColumns,
  assignedName: users.name,
  lastSender: {
    senderId: sql<number | null>`${senders.id}`,
    senderName: sql<string | null>`${senders.name}`,
    origin: sql<Origin | null>`${messages.metadata} ->> 'origin'`,
  },
  lastMessage: {
    id: messages.id,
    content: messages.content,
    messageType: messages.messageType,
    senderType: messages.senderType,
    deliveryStatus: messages.deliveryStatus,
    deletedAt: messages.deletedAt,
    sentAt: messages.sentAt,
    createdAt: messages.createdAt,
  },
}

/** Numbered once for all rows: numbered for each row, a long queue would be read as often as it is long. */
function selectQueue(db: Db) {
  const place = sql<number>`row_number() over (order by ${conversations.startedAt}, ${conversations.id})::int`
  return db
    .select({ id: conversations.id, position: place.as('position') })
    .from(conversations)
    .where(isQueued)
    .as('queue')
}

function selectConversations(db: Db) {
  const queue = selectQueue(db)
  const queuePosition = sql<number | null>`${queue.position}`
  return selectWith(db, { queuePosition }).leftJoin(queue, eq(queue.id, conversations.id))
}

function selectWith<More extends Record<string, SQL>>(db: Db, more: More) {
  return db
    .select({ ...conversationColumns, ...more })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .leftJoin(contactCategories, ofCategory)
    .leftJoin(companies, ofCompany)
    .leftJoin(users, eq(users.id, conversations.assignedUserId))
    .leftJoin(messages, eq(messages.id, conversations.lastMessageId))
    .leftJoin(senders, eq(senders.id, messages.senderId))
}

export type ConversationRow = Awaited<ReturnType<typeof listOpenRows>>[number]

const isWaiting = sql`${conversations.waitingSince} is not null`
const toMs = (column: AnyColumn) => sql`date_trunc('milliseconds', ${column})`
const latestFirst = [desc(toMs(conversations.lastActivityAt)), desc(conversations.id)]

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
}

/** Which of the open conversations are listed, and in which order. */
export interface ListView {
  search: string
  tab: ListTab
  order: ListOrder
  /** Whose conversations 'mine' are. */
  userId: number | undefined
}

function isListed({ search, tab, userId }: ListView): SQL | undefined {
  const isOfTab =
    tab === 'queue' ? isQueued : tab === 'mine' ? eq(conversations.assignedUserId, userId ?? 0) : undefined
  return and(isOpen, isOfTab, matches(search))
}

function matches(search: string): SQL | undefined {
  const words = search.trim()
  if (words === '') return undefined
  const digits = words.replace(/\D/g, '')
  const isNumber = digits.length > 0 && /^[\d\s()+.-]+$/.test(words)
  return plannedEachTime(
    or(
      foldedContains(contacts.nameFolded, words),
      isNumber ? ilike(contacts.phone, `%${digits}%`) : undefined,
      isNumber ? ilike(conversations.protocol, `%${digits}%`) : undefined,
    ),
  )
}

export function listOpenRows(db: Db, page?: ListView & { limit: number; offset: number }) {
  const query = selectConversations(db)
    .where(page ? isListed(page) : isOpen)
    .orderBy(...listOrders[page?.order ?? 'start'])
  return page ? query.limit(page.limit).offset(page.offset).execute() : query.execute()
}

function selectEntries(db: Db) {
  return selectWith(db, {
    isQueued: sql<boolean>`${isQueued}`,
    startedAtUs: sql<number>`(extract(epoch from ${conversations.startedAt}) * 1000000)::float8`,
  })
}

/** Those of the conversations that are open, without their positions in the queue. */
export const listEntryRows = statement<{ ids: readonly number[] }>()((db) =>
  selectEntries(db).where(and(isOpen, sql`${conversations.id} = ${anyOf('ids')}`)),
)

/** Open conversations after one of them, oldest start first; `startedAtUs` in microseconds since 1970. */
export const listEntryRowsAfter = statement<{ startedAtUs: number; id: number; limit: number }>()((db) =>
  selectEntries(db)
    .where(
      and(
        isOpen,
        sql`(${conversations.startedAt}, ${conversations.id})
          > (to_timestamp(0) + ${sql.placeholder('startedAtUs')}::float8 * interval '1 microsecond',
             ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(asc(conversations.startedAt), asc(conversations.id))
    .limit(sql.placeholder('limit')),
)

export async function countOpen(db: Db, view: ListView): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(isListed(view))
  return row?.n ?? 0
}

const isOneOfIds = sql`${conversations.id} = ${anyOf('ids')}`

const selectMany = statement<{ ids: number[] }>()((db) => selectConversations(db).where(isOneOfIds))

const ahead = alias(conversations, 'ahead')

/**
 * Counts the queue up to each row that is in it: for a few rows that is less work than numbering all of it.
 */
const selectFew = statement<{ ids: number[] }>()((db) =>
  selectWith(db, {
    queuePosition: sql<number | null>`case when ${isQueued} then (
      select count(*)::int from ${conversations} ${sql.identifier('ahead')} where ${isQueuedIn(ahead)}
         and (${ahead.startedAt}, ${ahead.id}) <= (${conversations.startedAt}, ${conversations.id})) end`,
  }).where(isOneOfIds),
)

const fewRows = 8

export function listConversationRows(db: Db, ids: number[]) {
  return ids.length <= fewRows ? selectFew(db, { ids }) : selectMany(db, { ids })
}
