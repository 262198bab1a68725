import { and, desc, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { conversations, messages, isOpen } from '#server/schema/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { tellFollowers } from '#server/notifications/notifications.ts'
import { sectorOfNew } from '#server/sectors/sectors.ts'
import { recountReads } from './reads.ts'
import {
  isCountedOfContact,
  isPreviewed,
  isPreviewedHere,
  isWritten,
  isWrittenHere,
} from './counted-message.ts'
import { type Locked, asLocked, lockConversations } from './lock.ts'
import type { ConversationChange } from './change.ts'
import {
  type MessagePlace,
  neighbourColumns,
  neighboursOf,
  placeAtOwnTime,
  placeMessage,
  type SentWhen,
} from './message-place.ts'

type NewConversation = Pick<typeof conversations.$inferInsert, 'instanceId' | 'contactId' | 'initiatedBy'> &
  Partial<typeof conversations.$inferInsert>
export type NewMessage = Omit<
  typeof messages.$inferInsert,
  'conversationId' | 'instanceId' | 'sortAt' | 'sentAt' | 'responseMs'
> & {
  /** By the gateway's clock; absent: now. */
  sentAt?: Date | undefined
  responseMs?: SQL<number> | null
  place?: PlaceNow | undefined
}

/** A place in a locked conversation, and the product's time. */
export type PlaceNow = MessagePlace & { now: Date }

/** Inserts a conversation with its protocol; undefined when the contact has an open one by now. */
export async function insertConversation(db: Tx, values: NewConversation): Promise<Locked | undefined> {
  const [row] = await insertConversations(db, [values])
  return row
}

/** The same for many; the result lacks those of contacts who have an open one by now. */
export async function insertConversations(db: Tx, many: NewConversation[]): Promise<Locked[]> {
  if (many.length === 0) return []
  const protocol = sql`to_char(app_now() at time zone 'America/Sao_Paulo', 'YYYYMMDD')
    || lpad(nextval('conversation_protocol')::text, 6, '0')`
  const made = await db
    .insert(conversations)
    .values(many.map((values) => ({ sectorId: sectorOfNew(values), ...values, protocol })))
    .onConflictDoNothing()
    .returning()
  return made.map(asLocked)
}

/** Shows everybody contacts whose names or cards have changed, each by a conversation of theirs. */
export async function notifyContactsChanged(db: Tx, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length === 0) return
  const open = await lockConversations(db, and(inArray(conversations.contactId, [...contactIds]), isOpen))
  await db
    .update(conversations)
    .set({ version: sql`${conversations.version} + 1` })
    .where(
      inArray(
        conversations.id,
        open.map(({ id }) => id),
      ),
    )
  const withOpen = new Set(open.map(({ contactId }) => contactId))
  const others = contactIds.filter((id) => !withOpen.has(id))
  // Somebody may be looking at the last one; of so many at once they are not all told of.
  const last = others.length > mostCompleted ? [] : await newestCompleted(db, others)
  for (const { id } of [...open, ...last]) db.emit({ type: 'conversation_updated', conversationId: id })
}

const mostCompleted = 50
const newestCompleted = (db: Tx, contactIds: readonly number[]) =>
  db
    .selectDistinctOn([conversations.contactId], { id: conversations.id })
    .from(conversations)
    .where(and(inArray(conversations.contactId, [...contactIds]), not(isOpen)))
    .orderBy(conversations.contactId, desc(conversations.id))

/**
 * Emits the open conversations of a contact with a new picture. Their rows, and so their versions, do not
 * change.
 */
export async function notifyPictureChanged(db: Tx, contactId: number): Promise<void> {
  const open = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), isOpen))
  for (const { id } of open) db.emit({ type: 'conversation_updated', conversationId: id })
}

/** How many messages of a conversation a person or the client has written. */
const writtenIn = (id: number) =>
  sql`(select count(*)::int from messages m where m.conversation_id = ${id} and ${isWrittenHere})`

/** Corrects a locked conversation after a message that was counted, none of the contact's, was deleted. */
export async function uncount(db: Tx, id: number): Promise<void> {
  await db
    .update(conversations)
    .set({
      messageCount: writtenIn(id),
      lastMessageId: sql`(select m.id from messages m where m.conversation_id = ${id} and ${isPreviewedHere}
                           order by m.sort_at desc, m.id desc limit 1)`,
      version: sql`${conversations.version} + 1`,
    })
    .where(eq(conversations.id, id))
  for (const type of ['timeline_changed', 'conversation_updated'] as const)
    db.emit({ type, conversationId: id })
}

/** Recounts a locked conversation's messages and readings, after messages were moved in or out. */
export async function recount(db: Tx, id: number): Promise<void> {
  const isHere = sql`m.conversation_id = ${id}`
  await db
    .update(conversations)
    .set({
      messageCount: writtenIn(id),
      contactMessageCount: sql`(select count(*)::int from messages m
                                 where ${isHere} and ${isCountedOfContact})`,
      lastMessageId: sql`(select m.id from messages m where ${isHere} and ${isPreviewedHere}
                           order by m.sort_at desc, m.id desc limit 1)`,
      version: sql`${conversations.version} + 1`,
    })
    .where(eq(conversations.id, id))
  await recountReads(db, id)
  db.emit({ type: 'timeline_changed', conversationId: id })
}

/**
 * When a conversation last left the queue, in whole milliseconds as the times of messages; before everything
 * where it never was there, and after everything while it is.
 */
export const stayBegan = (conversationId: SQL): SQL => sql`coalesce(
  (select coalesce(date_trunc('milliseconds', q.processed_at), 'infinity') from queue_pending_conversations q
    where q.conversation_id = ${conversationId}), '-infinity')`

const selectNeighbours = statement<{
  conversationId: number
  sentAt: string | null
  postedMs: number | null
}>()((db) =>
  db
    .select({
      now: sql`app_now()`.mapWith(messages.sortAt),
      ...neighbourColumns,
      // The index 'messages_by_operators' answers it; 'exists' might be planned as a read of the table.
      isAnswered: sql<boolean>`coalesce(
        (select p.created_at from messages p
          where p.conversation_id = (select ${sql.placeholder('conversationId')}::int)
            and p.sender_id is not null and p.delivery_status is not null order by p.id desc limit 1)
        >= ${stayBegan(sql`(select ${sql.placeholder('conversationId')}::int)`)}, false)`,
      isNumberOff: sql<boolean>`coalesce((select not g.is_active from conversations v
        join evolution_api_config g on g.id = v.instance_id
        where v.id = (select ${sql.placeholder('conversationId')}::int)), false)`,
    })
    .from(
      sql`(${neighboursOf(sql`(select ${sql.placeholder('conversationId')}::int)`, {
        sentAt: sql`(select ${sql.placeholder('sentAt')}::timestamptz)`,
        postedMs: sql`(select ${sql.placeholder('postedMs')}::float8)`,
      })}) around`,
    ),
)

/**
 * The place of a new message in a locked conversation, whether a person has answered there since it was last
 * in the queue, and whether the number that it is written by is switched off.
 * @param isHistory whether the message belongs to the past, however new it is
 */
export async function findPlace(
  db: Db,
  conversationId: number,
  sent: SentWhen,
  isHistory = false,
): Promise<PlaceNow & { isAnswered: boolean; isNumberOff: boolean }> {
  const { sentAt, postedMs = null } = sent
  const asked = { conversationId, sentAt: sentAt?.toISOString() ?? null, postedMs }
  const [row] = await selectNeighbours(db, asked)
  if (!row) throw new Error('the database has no clock')
  const place = isHistory ? placeAtOwnTime(sentAt, row.now, row) : placeMessage(sent, row.now, row)
  return { ...place, now: row.now, isAnswered: row.isAnswered, isNumberOff: row.isNumberOff }
}

export interface Inserted {
  id: number
  sortAt: Date
  now: Date
  row: typeof messages.$inferSelect
}

/**
 * Appends a message to a locked conversation, at the place of `placeMessage`.
 * @param change further changes of the conversation, which the message makes active as well
 */
export async function insertMessage(
  db: Db,
  conversation: Locked,
  message: NewMessage,
  change?: ConversationChange,
): Promise<Inserted> {
  const inserted = await insertRow(db, conversation, message)
  await noteInConversation(db, conversation, inserted, change)
  return inserted
}

/** The message alone, which `noteInConversation` completes. */
export async function insertRow(
  db: Db,
  conversation: Locked,
  message: NewMessage,
): Promise<Inserted & { isNewest: boolean }> {
  const { place, ...values } = message
  const { now, sentAt, sortAt, isNewest } =
    place ?? (await findPlace(db, conversation.id, { sentAt: message.sentAt }))
  const [row] = await db
    .insert(messages)
    .values({
      ...values,
      conversationId: conversation.id,
      instanceId: conversation.instanceId,
      sentAt,
      sortAt,
      createdAt: now,
    })
    .returning()
  if (!row) throw new Error('message not written')
  return { id: row.id, sortAt, now, row, isNewest }
}

export async function noteInConversation(
  db: Db,
  conversation: Locked,
  { row, sortAt, isNewest }: Inserted & { isNewest: boolean },
  change: ConversationChange | undefined,
): Promise<void> {
  // What only administrators see is not counted: everybody could tell it from the number.
  const isCounted = isCountedMessage(row.messageType)
  if (!isPreviewed(row) && !change) return
  await db
    .update(conversations)
    .set({
      ...(isWritten(row) && { messageCount: sql`${conversations.messageCount} + 1` }),
      ...(isCounted &&
        row.senderType === 'contact' && {
          contactMessageCount: sql`${conversations.contactMessageCount} + 1`,
        }),
      ...(isPreviewed(row) && (isNewest || conversation.lastMessageId === null) && { lastMessageId: row.id }),
      ...(change && { ...change, lastActivityAt: sortAt, version: sql`${conversations.version} + 1` }),
    })
    .where(eq(conversations.id, conversation.id))
}

/** Writes an act into the timeline of a locked conversation, as a line that is no message. @returns its id */
export async function noteAct(
  db: Tx,
  conversation: Locked,
  {
    by,
    note = '',
    content = '',
    ...event
  }: {
    /** null: the server itself. */
    by: number | null
    /** Written by the person as a note of the team, below the line. */
    note?: string | undefined
    /** What the line says beside the act. */
    content?: string | undefined
  } & NonNullable<MessageMetadata['event']>,
): Promise<number> {
  const { id } = await insertMessage(db, conversation, {
    senderType: 'user',
    senderId: by,
    messageType: 'event',
    content,
    metadata: { event },
  })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
  await tellFollowers(db, { conversationId: conversation.id, messageId: id, byId: by, act: event.act })
  if (note.trim() === '') return id
  const written = await insertMessage(db, conversation, {
    senderType: 'user',
    senderId: by,
    messageType: 'note',
    content: note.trim(),
  })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: written.id })
  return id
}
