import { and, eq, sql } from 'drizzle-orm'
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
export async function closeBlocked(db: Tx, contactId: number, by: number | null): Promise<void> {
  const open = await lockConversations(db, and(eq(conversations.contactId, contactId), isOpen))
  for (const conversation of open) {
    await leaveQueue(db, conversation.id)
    if (by !== null) await noteAct(db, conversation, { by, act: 'blocked' })
    await updateConversation(db, conversation, {
      status: 'completed',
      completedAt: sql`app_now()`,
      waitingFor: 'client',
      waitingSince: null,
    })
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  }
}
