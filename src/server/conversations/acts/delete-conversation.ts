import { eq } from 'drizzle-orm'
import { leaveQueue } from '#server/automation/automation.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { dropNotifications } from '#server/notifications/notifications.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import {
  conversationNotFound,
  lockConversationFor,
  mayReadLocked,
} from '#server/conversations/store/access.ts'
import { insertTombstones } from '#server/conversations/messages/tombstones.ts'
import { notifyQuotingAny } from '#server/conversations/store/quoting.ts'
import { hasWrittenSince } from './complete.ts'

/**
 * Deletes a conversation with all of its messages. Queued messages are not sent. A send in progress is
 * finished, but its echo does not restore anything.
 * @param act `permit` throws when the person may not delete a conversation of this status
 * @throws AppError 403, 404, 409 written to by the contact after `seenMessageId`
 */
export async function deleteConversation(
  database: Database,
  who: Who,
  act: {
    conversationId: number
    seenMessageId: number | undefined
    permit: (status: Conversation['status']) => void
  },
): Promise<void> {
  const { conversationId, seenMessageId, permit } = act
  await inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    if (!(await mayReadLocked(db, who, conversation))) throw conversationNotFound()
    permit(conversation.status)
    if (seenMessageId !== undefined && (await hasWrittenSince(db, conversationId, seenMessageId)))
      throw new AppError('conversations.client_wrote')
    await leaveQueue(db, conversationId)
    await insertTombstones(db, [conversationId])
    await notifyQuotingAny(db, conversation)
    await dropNotifications(db, [conversationId])
    const { protocol, contactId, assignedUserId, status, messageCount } = conversation
    await record(db, who, {
      action: 'conversation.delete',
      resourceId: conversationId,
      details: { protocol, contactId, assignedUserId, status, messageCount },
    })
    // After the row of the audit log, which asks the conversation for its number.
    await db.delete(conversations).where(eq(conversations.id, conversationId))
    db.emit({ type: 'conversation_updated', conversationId })
  })
}
