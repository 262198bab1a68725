import { and, inArray, sql } from 'drizzle-orm'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { lockConversations } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'

/**
 * Completes the open conversations of a blocked contact, without a text.
 * @param by the user who blocked it, whom the timeline names; null when the contact was merged with a blocked
 *   one
 * @see decisions §3 'contact blocked'
 */
export function closeBlocked(db: Tx, contactId: number, by: number | null): Promise<void> {
  return closeOpen(db, [contactId], by === null ? undefined : { by, act: 'blocked' })
}

/**
 * Completes the open conversations of contacts, without a text.
 * @param line what their timelines say of it
 */
export async function closeOpen(
  db: Tx,
  contactIds: readonly number[],
  line: { by: number; act: ConversationAct } | undefined,
): Promise<void> {
  const open = await lockConversations(db, and(inArray(conversations.contactId, [...contactIds]), isOpen))
  for (const conversation of open) {
    await leaveQueue(db, conversation.id)
    await withdrawTexts(db, conversation, 'ended')
    if (line) await noteAct(db, conversation, line)
    await updateConversation(db, conversation, {
      status: 'completed',
      completedAt: sql`app_now()`,
      waitingFor: 'client',
      waitingSince: null,
    })
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  }
}
