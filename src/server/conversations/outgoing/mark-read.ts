import { sql } from 'drizzle-orm'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversationReads } from '#server/schema/conversations/reads.ts'
import {
  conversationNotFound,
  lockConversationFor,
  mayReadLocked,
} from '#server/conversations/store/access.ts'
import type { Receipt } from './receipts.ts'
import { findRead, type ReadRow, writeRead } from '#server/conversations/store/reads.ts'
import { isCountedOfContact } from '#server/conversations/store/counted-message.ts'
import type { Locked } from '#server/conversations/store/lock.ts'

/**
 * Marks a conversation as read up to a message. The position never moves back, and never beyond the newest
 * message.
 * @returns the position, and the receipt to send after the commit when the reader is the assignee
 * @throws AppError 404 not visible
 */
export async function markRead(
  database: Database,
  who: Who,
  { conversationId, lastMessageId }: { conversationId: number; lastMessageId: number },
): Promise<{ read: ReadRow; receipt: Receipt | undefined }> {
  return inTransaction(database, async (db) => {
    const conversation = await lockReadable(db, who, conversationId)
    // Under the conversation's lock, any later message of it gets an id above all existing ones.
    const upTo = sql`least(${lastMessageId}::int, (select coalesce(max(id), 0) from messages))`
    const written = await writeRead(
      db,
      {
        userId: who.id,
        conversationId,
        lastMessageId: upTo,
        contactMessageCount: sql`${conversation.contactMessageCount}::int
          - (select count(*)::int from messages m
          where m.conversation_id = ${conversationId} and m.id > ${lastMessageId} and ${isCountedOfContact})`,
      },
      {
        set: {
          lastMessageId: sql`excluded.last_message_id`,
          contactMessageCount: sql`excluded.contact_message_count`,
        },
        setWhere: sql`excluded.last_message_id > ${conversationReads.lastMessageId}`,
      },
    )
    const read = await emitRead(db, { userId: who.id, conversationId }, written)
    const isAssignee = conversation.assignedUserId === who.id
    return { read, receipt: isAssignee ? { conversationId, upToMessageId: read.lastMessageId } : undefined }
  })
}

/**
 * 'Marcar como não lida': marks the contact's newest message as unread. Older unread messages stay unread.
 * @throws AppError 404 not visible
 */
export async function markUnread(database: Database, who: Who, conversationId: number): Promise<ReadRow> {
  return inTransaction(database, async (db) => {
    const { contactMessageCount } = await lockReadable(db, who, conversationId)
    const newest = sql`(select max(m.id) from messages m
                         where m.conversation_id = ${conversationId} and ${isCountedOfContact})`
    const written = await writeRead(
      db,
      { userId: who.id, conversationId, lastMessageId: 0, contactMessageCount: 0 },
      {
        set: {
          lastMessageId: sql`${newest} - 1`,
          contactMessageCount: sql`${contactMessageCount}::int - 1`,
        },
        setWhere: sql`${conversationReads.lastMessageId} >= ${newest}`,
      },
    )
    return emitRead(db, { userId: who.id, conversationId }, written)
  })
}

/** Applies the rule of reading the conversation. The lock orders the count with the arrival of messages. */
async function lockReadable(db: Tx, who: Who, id: number): Promise<Locked> {
  const conversation = await lockConversationFor(db, who, id)
  if (!(await mayReadLocked(db, who, conversation))) throw conversationNotFound()
  return conversation
}

/** Emits a position that was written; otherwise returns the stored one. */
async function emitRead(
  db: Tx,
  key: { userId: number; conversationId: number },
  written: ReadRow | undefined,
): Promise<ReadRow> {
  if (written) db.emit({ type: 'conversation_read', ...key })
  const row = written ?? (await findRead(db, key))
  if (!row) throw new Error('a reading was neither written nor there')
  return row
}
