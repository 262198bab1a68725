import { and, asc, desc, eq, ilike, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isQueued, isQueuedIn } from '#server/automation/automation.ts'
import { cardColumns, ofCategory, ofCompany } from '#server/contacts/contacts.ts'
import { type Db, literal } from '#server/platform/database/db.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { companies, contactCategories, contacts } from '#server/schema/contacts.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import {
  messageReactions,
  messageVersions,
  messageVotes,
} from '#server/schema/conversations/message-changes.ts'
import { users } from '#server/schema/users.ts'
import { isTrackingType, messageTypes } from '#shared/messages/message-kinds.ts'

const conversationColumns = {
  conversation: conversations,
  contact: cardColumns,
  assignedName: users.name,
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
}

export type ConversationRow = Awaited<ReturnType<typeof listOpenRows>>[number]

const isOpen = ne(conversations.status, 'completed')

/** The queue first, by who has waited longest; then the rest, newest start first. */
const listOrder = [
  sql`${isQueued} desc`,
  sql`case when ${isQueued} then ${conversations.startedAt} end asc nulls last`,
  sql`case when ${isQueued} then ${conversations.id} end asc nulls last`,
  desc(conversations.startedAt),
  desc(conversations.id),
]

function matches(search: string): SQL | undefined {
  const words = search.trim()
  if (words === '') return undefined
  const digits = words.replace(/\D/g, '')
  const isNumber = digits.length > 0 && /^[\d\s()+.-]+$/.test(words)
  return plannedEachTime(
    or(
      ilike(contacts.name, `%${literal(words)}%`),
      isNumber ? ilike(contacts.phone, `%${digits}%`) : undefined,
      isNumber ? ilike(conversations.protocol, `%${digits}%`) : undefined,
    ),
  )
}

export function listOpenRows(db: Db, page?: { limit: number; offset: number; search: string }) {
  const query = selectConversations(db)
    .where(and(isOpen, page ? matches(page.search) : undefined))
    .orderBy(...listOrder)
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

export async function countOpen(db: Db, search: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(and(isOpen, matches(search)))
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

const quoted = sql`(select row_to_json(q) from (
  select m.id, m.conversation_id as "conversationId", m.sender_type as "senderType",
         m.message_type as "messageType", left(m.content, 300) as content, m.deleted_at as "deletedAt"
    from messages m
   where m.instance_id = ${messages.instanceId} and m.whatsapp_message_id = ${messages.quotedWhatsappId}
     and m.conversation_id in (select c.id from conversations c where c.contact_id = (
           select o.contact_id from conversations o where o.id = ${messages.conversationId}))) q)`

const reactions = sql<{ emoji: string; from: 'contact' | 'user' }[]>`(
  select coalesce(json_agg(json_build_object('emoji', r.emoji, 'from', r.sender) order by r.id), '[]'::json)
    from ${messageReactions} r where r.message_id = ${messages.id} and r.emoji <> '')`

const votes = sql<{ options: string[]; from: 'contact' | 'user' }[]>`(
  select coalesce(json_agg(json_build_object('options', v.options, 'from', v.sender) order by v.id),
                  '[]'::json)
    from ${messageVotes} v where v.message_id = ${messages.id} and v.options <> '{}')`

interface QuotedRow {
  id: number
  conversationId: number
  senderType: 'contact' | 'user'
  messageType: (typeof messages.$inferSelect)['messageType']
  content: string
  /** In the format of JSON. */
  deletedAt: string | null
}

function selectMessages(db: Db) {
  return db
    .select({
      message: messages,
      senderName: users.name,
      quoted: sql<QuotedRow | null>`case when ${messages.quotedWhatsappId} is null then null
                                         else ${quoted} end`,
      reactions,
      votes,
    })
    .from(messages)
    .leftJoin(users, eq(users.id, messages.senderId))
}

export type MessageRow = Awaited<ReturnType<typeof listMessageRows>>[number]

const selectMessagesById = statement<{ ids: number[] }>()((db) =>
  selectMessages(db).where(sql`${messages.id} = ${anyOf('ids')}`),
)

export function listMessageRows(db: Db, ids: number[]) {
  return selectMessagesById(db, { ids })
}

const trackingTypes = sql.raw(
  messageTypes
    .filter(isTrackingType)
    .map((type) => `'${type}'`)
    .join(', '),
)
const notTracking = sql`${messages.messageType} not in (${trackingTypes})`

/** What a page of a timeline is limited by. */
interface PageLimits {
  hasBefore: boolean
  hasAfter: boolean
  withTracking: boolean
}

interface PageParams {
  conversationId: number
  before?: number | undefined
  after?: number | undefined
  limit: number
}

function pageStatement({ hasBefore, hasAfter, withTracking }: PageLimits) {
  const conversationId = sql.placeholder('conversationId')
  const place = (end: 'before' | 'after') =>
    sql`(select p.sort_at, p.id from messages p
          where p.id = ${sql.placeholder(end)} and p.conversation_id = ${conversationId})`
  return statement<PageParams>()((db) =>
    selectMessages(db)
      .where(
        and(
          eq(messages.conversationId, conversationId),
          withTracking ? undefined : notTracking,
          hasBefore ? sql`(${messages.sortAt}, ${messages.id}) < ${place('before')}` : undefined,
          hasAfter ? sql`(${messages.sortAt}, ${messages.id}) > ${place('after')}` : undefined,
        ),
      )
      .orderBy(
        ...(hasAfter ? [asc(messages.sortAt), asc(messages.id)] : [desc(messages.sortAt), desc(messages.id)]),
      )
      .limit(sql.placeholder('limit')),
  )
}

const pageStatements = new Map<string, ReturnType<typeof pageStatement>>()

function pageStatementFor(limits: PageLimits) {
  const key = JSON.stringify(limits)
  const made = pageStatements.get(key) ?? pageStatement(limits)
  pageStatements.set(key, made)
  return made
}

/** A page of a conversation's messages, oldest first: the last ones, or those before or after a message. */
export async function listTimelineRows(
  db: Db,
  conversationId: number,
  page: { before?: number | undefined; after?: number | undefined; limit: number; withTracking: boolean },
) {
  const { before, after, limit, withTracking } = page
  const select = pageStatementFor({
    hasBefore: before !== undefined,
    hasAfter: after !== undefined,
    withTracking,
  })
  const found = await select(db, { conversationId, before, after, limit })
  return after === undefined ? found.reverse() : found
}

/** The earlier texts of an edited message of the conversation, oldest first. */
export function listVersionRows(db: Db, conversationId: number, messageId: number) {
  return db
    .select({ content: messageVersions.content, replacedAt: messageVersions.replacedAt })
    .from(messageVersions)
    .innerJoin(messages, eq(messages.id, messageVersions.messageId))
    .where(and(eq(messages.id, messageId), eq(messages.conversationId, conversationId)))
    .orderBy(sql`${messageVersions.saidAt} nulls first`, asc(messageVersions.id))
    .execute()
}
