import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import {
  listConversationMedia,
  type ContactRating,
  historyPageSize,
  type MediaKind,
  mediaPageSize,
} from '#shared/conversations/contact-history.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { completedOfOthers, isInReach, reachColumns, readableBy } from '#server/platform/http/reach.ts'
import type { Db } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { users } from '#server/schema/users.ts'
import { type Readable, seesTracking } from '#server/conversations/store/access.ts'
import {
  type ConversationRow,
  listConversationRows,
  readableColumns,
} from '#server/conversations/store/rows.ts'
import {
  listMessageRows,
  type MessageRow,
  placeOf,
  trackingTypes,
} from '#server/conversations/store/message-rows.ts'

/** A page of the contact's conversations that the person may read, by `mayRead`, newest first. */
export async function listContactHistory(
  db: Db,
  who: Who,
  contactId: number,
  before: number | undefined,
): Promise<ConversationRow[]> {
  const seesAll = isPermitted(who, completedOfOthers)
  const found = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, contactId),
        // While it waits for the client's choice, it does not count as a conversation yet.
        sql`${conversations.preAttendanceStage} is distinct from 'waiting_option'`,
        readableBy(who, completedOfOthers),
        before === undefined
          ? undefined
          : sql`(${conversations.startedAt}, ${conversations.id}) <
              (select v.started_at, v.id from conversations v
                where v.id = ${before} and v.contact_id = ${contactId}
                  -- Nobody pages by a conversation that they do not see.
                  and (${seesAll} or v.status <> 'completed' or v.assigned_user_id = ${who.id})
                  and ${isInReach(who, reachColumns('v')) ?? sql`true`})`,
      ),
    )
    .orderBy(desc(conversations.startedAt), desc(conversations.id))
    .limit(historyPageSize)
  return inOrder(found, await listConversationRows(db, idsOf(found)), ({ conversation }) => conversation.id)
}

const typesOf: Record<MediaKind, MessageType[]> = {
  visual: ['image', 'video'],
  file: ['document', 'audio'],
}

interface MediaPage {
  kind?: MediaKind | undefined
  before?: number | undefined
}

function isMedia(kind: MediaKind | undefined): SQL | undefined {
  const types = kind ? typesOf[kind] : [...typesOf.visual, ...typesOf.file]
  return and(inArray(messages.messageType, types), isNull(messages.deletedAt))
}

/** A page of the messages with a file, newest first, without stickers. */
export async function listMediaRows(
  db: Db,
  who: Who,
  conversationId: number,
  { kind, before }: MediaPage,
): Promise<MessageRow[]> {
  const found = await db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        isMedia(kind),
        before === undefined
          ? undefined
          : sql`(${messages.sortAt}, ${messages.id}) < ${placeOf(before, conversationId, seesTracking(who))}`,
      ),
    )
    .orderBy(desc(messages.sortAt), desc(messages.id))
    .limit(mediaPageSize)
  return inOrder(found, await listMessageRows(db, idsOf(found)), ({ message }) => message.id)
}

/**
 * The same in all conversations of a contact that the person may read.
 * @returns also those conversations of which there is something
 */
export async function listContactMediaRows(
  db: Db,
  who: Who,
  contactId: number,
  { kind, before }: MediaPage,
): Promise<{ rows: MessageRow[]; conversations: Readable[] }> {
  const ofOthers = listConversationMedia.rows['GET /api/conversations/{completed}/media']
  const seesAll = isPermitted(who, ofOthers)
  const found = await db
    .select({
      id: messages.id,
      conversation: readableColumns,
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(
      and(
        eq(conversations.contactId, contactId),
        readableBy(who, ofOthers),
        isMedia(kind),
        before === undefined
          ? undefined
          : sql`(${messages.sortAt}, ${messages.id}) <
              (select p.sort_at, p.id from messages p join conversations v on v.id = p.conversation_id
                where p.id = ${before} and v.contact_id = ${contactId}
                  -- Nobody pages by a message that they do not see.
                  and (${seesTracking(who)} or p.message_type not in (${trackingTypes}))
                  and (${seesAll} or v.status <> 'completed' or v.assigned_user_id = ${who.id})
                  and ${isInReach(who, reachColumns('v')) ?? sql`true`})`,
      ),
    )
    .orderBy(desc(messages.sortAt), desc(messages.id))
    .limit(mediaPageSize)
  return {
    rows: inOrder(found, await listMessageRows(db, idsOf(found)), ({ message }) => message.id),
    conversations: [...new Map(found.map(({ conversation }) => [conversation.id, conversation])).values()],
  }
}

/** A page of the ratings that a contact gave in the conversations that the person may read, newest first. */
export async function listContactRatingRows(
  db: Db,
  who: Who,
  contactId: number,
  before: number | undefined,
): Promise<ContactRating[]> {
  const found = await db
    .select({
      id: conversationRatings.id,
      conversationId: conversations.id,
      protocol: conversations.protocol,
      operatorName: users.name,
      serviceRating: conversationRatings.serviceRating,
      operatorRating: conversationRatings.operatorRating,
      feedback: conversationRatings.feedback,
      createdAt: conversationRatings.createdAt,
    })
    .from(conversationRatings)
    .innerJoin(conversations, eq(conversations.id, conversationRatings.conversationId))
    .leftJoin(users, eq(users.id, conversationRatings.operatorId))
    .where(
      and(
        eq(conversationRatings.contactId, contactId),
        readableBy(who, completedOfOthers),
        before === undefined ? undefined : lt(conversationRatings.id, before),
      ),
    )
    .orderBy(desc(conversationRatings.id))
    .limit(historyPageSize)
  return found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

const idsOf = (found: { id: number }[]) => found.map(({ id }) => id)

/** The rows in the order of the ids. */
function inOrder<Row>(found: { id: number }[], rows: Row[], idOf: (row: Row) => number): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return found.flatMap(({ id }) => byId.get(id) ?? [])
}
