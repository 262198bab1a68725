import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { historyPageSize, type MediaKind, mediaPageSize } from '#shared/conversations/contact-history.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import type { Db } from '#server/platform/database/db.ts'
import { conversations, messages, isOpen } from '#server/schema/conversations/conversations.ts'
import { seesTracking } from '#server/conversations/store/access.ts'
import { type ConversationRow, listConversationRows } from '#server/conversations/store/rows.ts'
import { listMessageRows, type MessageRow, placeOf } from '#server/conversations/store/message-rows.ts'

/** A page of the contact's conversations that the person may read, by `mayRead`, newest first. */
export async function listContactHistory(
  db: Db,
  who: Who,
  contactId: number,
  before: number | undefined,
): Promise<ConversationRow[]> {
  const seesAll = isPermitted(who, 'GET /api/conversations/{completed}')
  const found = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, contactId),
        // While it waits for the client's choice, it does not count as a conversation yet.
        sql`${conversations.preAttendanceStage} is distinct from 'waiting_option'`,
        seesAll ? undefined : or(isOpen, eq(conversations.assignedUserId, who.id)),
        before === undefined
          ? undefined
          : sql`(${conversations.startedAt}, ${conversations.id}) <
              (select p.started_at, p.id from conversations p
                where p.id = ${before} and p.contact_id = ${contactId})`,
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

/** A page of the messages with a file, newest first, without stickers. */
export async function listMediaRows(
  db: Db,
  who: Who,
  conversationId: number,
  { kind, before }: { kind?: MediaKind | undefined; before?: number | undefined },
): Promise<MessageRow[]> {
  const types = kind ? typesOf[kind] : [...typesOf.visual, ...typesOf.file]
  const found = await db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        inArray(messages.messageType, types),
        isNull(messages.deletedAt),
        before === undefined
          ? undefined
          : sql`(${messages.sortAt}, ${messages.id}) < ${placeOf(before, conversationId, seesTracking(who))}`,
      ),
    )
    .orderBy(desc(messages.sortAt), desc(messages.id))
    .limit(mediaPageSize)
  return inOrder(found, await listMessageRows(db, idsOf(found)), ({ message }) => message.id)
}

const idsOf = (found: { id: number }[]) => found.map(({ id }) => id)

/** The rows in the order of the ids. */
function inOrder<Row>(found: { id: number }[], rows: Row[], idOf: (row: Row) => number): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return found.flatMap(({ id }) => byId.get(id) ?? [])
}
