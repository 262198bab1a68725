import { and, asc, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Origin } from '#shared/messages/message-metadata.ts'
import { isQueued, isQueuedIn, queueOf, queuesOfNumbers } from '#server/automation/automation.ts'
import { cardColumns, ofCategory, ofCompany } from '#server/contacts/contacts.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { ReachFacts } from '#server/platform/http/reach.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { companies, contactCategories, contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, messages, isOpen } from '#server/schema/conversations/conversations.ts'
import { peopleIds, reachFactColumns } from '#server/schema/conversations/people.ts'
import { slaClocks } from '#server/schema/sla/sla.ts'
import { users } from '#server/schema/users.ts'

/** Who wrote the last message. */
const senders = alias(users, 'senders')

/** A column of the row within a subquery: where nothing is joined, drizzle names it without its table. */
const own = (column: string) => sql.raw(`conversations.${column}`)

/** Worked out once for a statement, and only where a row is in the queue of a number. */
const queueOfNumber = sql`((select jsonb_object_agg(q.id, q.queue) from ${queuesOfNumbers} q)
  -> ${own('instance_id')}::text)::int`
const queueId = queueOf(
  conversations.sectorId,
  sql`case when ${isQueued} then ${queueOfNumber} else ${conversations.instanceId} end`,
)

const conversationColumns = {
  conversation: conversations,
  peopleIds,
  contact: cardColumns,
  sla: {
    // First one that is never null: by it drizzle tells whether there is a row.
    id: slaClocks.id,
    replyDueAt: slaClocks.replyDueAt,
    replyNearAt: slaClocks.replyNearAt,
    replyKept: slaClocks.replyKept,
    endDueAt: slaClocks.endDueAt,
    endNearAt: slaClocks.endNearAt,
  },
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
  const place = sql<number>`row_number() over (
    partition by ${queueId} order by ${conversations.startedAt}, ${conversations.id})::int`
  return db
    .select({ id: conversations.id, queueId: queueId.as('queue_id'), position: place.as('position') })
    .from(conversations)
    .where(isQueued)
    .as('queue')
}

function selectWith<More extends Record<string, SQL>>(db: Db, more: More) {
  return db
    .select({ ...conversationColumns, ...more })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .leftJoin(contactCategories, ofCategory)
    .leftJoin(companies, ofCompany)
    .leftJoin(users, eq(users.id, conversations.assignedUserId))
    .leftJoin(slaClocks, and(eq(slaClocks.conversationId, conversations.id), not(slaClocks.isOver)))
    .leftJoin(messages, eq(messages.id, conversations.lastMessageId))
    .leftJoin(senders, eq(senders.id, messages.senderId))
}

export type ConversationRow = Awaited<ReturnType<typeof listConversationRows>>[number]

function selectEntries(db: Db) {
  return selectWith(db, {
    queueId,
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

const isOneOfIds = sql`${conversations.id} = ${anyOf('ids')}`

/** Until it is known in which queue of a number they are. */
const unplaced = { queueId: queueOf(conversations.sectorId, sql`${conversations.instanceId}`) }

const selectMany = statement<{ ids: number[] }>()((db) =>
  selectWith(db, { ...unplaced, isQueued: sql<boolean>`${isQueued}` }).where(isOneOfIds),
)

const selectPlaces = statement<{ ids: number[] }>()((db) => {
  const queue = selectQueue(db)
  return db
    .select({ id: queue.id, queueId: queue.queueId, queuePosition: sql<number | null>`${queue.position}` })
    .from(queue)
    .where(sql`${queue.id} = ${anyOf('ids')}`)
})

const ahead = alias(conversations, 'ahead')

/** Counts a queue up to a row that is in it: for a few rows that is less work than numbering all of it. */
const placeIn = (isOfQueue: SQL) => sql<number>`(
  select count(*)::int from ${conversations} ${sql.identifier('ahead')}
   where ${isQueuedIn(ahead)} and ${isOfQueue}
     and (${ahead.startedAt}, ${ahead.id}) <= (${own('started_at')}, ${own('id')}))`

/**
 * The places in queues that have no sector. A statement of its own: to find which numbers share a queue takes
 * longer to plan than all the rest of a row, and few rows need it.
 */
const selectPlacesAtNumbers = statement<{ ids: number[] }>()((db) =>
  db
    .select({
      id: conversations.id,
      queueId,
      queuePosition: placeIn(sql`${ahead.sectorId} is null and ${ahead.instanceId} in (
        select n.id from ${queuesOfNumbers} n where n.queue = ${queueOfNumber})`),
    })
    .from(conversations)
    .where(and(isOneOfIds, isQueued, isNull(conversations.sectorId))),
)

const selectWithPlaces = (db: Db) =>
  selectWith(db, {
    ...unplaced,
    queuePosition: sql<number | null>`case when ${isQueued} and ${conversations.sectorId} is not null
      then ${placeIn(sql`${ahead.sectorId} = ${own('sector_id')}`)} end`,
    isQueued: sql<boolean>`${isQueued}`,
  })

const selectFew = statement<{ ids: number[] }>()((db) => selectWithPlaces(db).where(isOneOfIds))

/** Planned for one row: of a list the planner expects ten, and reads all users for them. */
const selectOne = statement<{ id: number }>()((db) =>
  selectWithPlaces(db).where(eq(conversations.id, sql.placeholder('id'))),
)

async function listFew(db: Db, ids: number[]) {
  const [id] = ids
  const found =
    id !== undefined && ids.length === 1 ? await selectOne(db, { id }) : await selectFew(db, { ids })
  const atNumbers = idsOf(found.filter((row) => row.isQueued && row.conversation.sectorId === null))
  return withPlaces(found, atNumbers.length === 0 ? [] : await selectPlacesAtNumbers(db, { ids: atNumbers }))
}

/** What has been completed has no place, and no queue is numbered for it. */
async function listMany(db: Db, ids: number[]) {
  const found = (await selectMany(db, { ids })).map((row) => ({ ...row, queuePosition: null }))
  const queued = idsOf(found.filter((row) => row.isQueued))
  return withPlaces(found, queued.length === 0 ? [] : await selectPlaces(db, { ids: queued }))
}

interface Place {
  id: number
  queueId: number
  queuePosition: number | null
}

const idsOf = (found: readonly { conversation: { id: number } }[]) => found.map((row) => row.conversation.id)

function withPlaces<Row extends Omit<Place, 'id'> & { conversation: { id: number }; isQueued: boolean }>(
  found: readonly Row[],
  places: readonly Place[],
) {
  const byId = new Map(places.map((place) => [place.id, place]))
  return found.map(({ isQueued: _isQueued, ...row }) => {
    const { queueId: ofRow, queuePosition } = byId.get(row.conversation.id) ?? row
    return { ...row, queueId: ofRow, queuePosition }
  })
}

const fewRows = 8

export function listConversationRows(db: Db, ids: number[]) {
  return ids.length <= fewRows ? listFew(db, ids) : listMany(db, ids)
}

/** The columns of what `mayRead` asks. */
export const readableColumns = {
  ...reachFactColumns,
  contactId: conversations.contactId,
  completedAt: conversations.completedAt,
}

/** The facts of a row that was read for a screen. */
export const factsOf = ({
  conversation,
  peopleIds: ids,
}: Pick<ConversationRow, 'conversation' | 'peopleIds'>) => ({
  ...conversation,
  peopleIds: ids,
})

/** What decides who knows of conversations, by their ids. */
export async function findReachFacts(db: Db, ids: readonly number[]): Promise<Map<number, ReachFacts>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select(readableColumns)
    .from(conversations)
    .where(inArray(conversations.id, [...ids]))
  return new Map(found.map((row) => [row.id, row]))
}
