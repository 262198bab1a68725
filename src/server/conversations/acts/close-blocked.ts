import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { preAttendanceTemp } from '#server/schema/conversations/queue.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { endHold, isHeldEnd } from './undo-finalize.ts'

/**
 * Completes the open conversations of a blocked contact, without a text.
 * @param by the user who blocked it, whom the timeline names; null when the contact was merged with a blocked
 *   one
 * @see decisions §3 'contact blocked'
 */
export function closeBlocked(db: Tx, contactId: number, by: number | null): Promise<void> {
  return closeOpen(db, [contactId], { by, act: by === null ? 'closed_as_blocked' : 'blocked' })
}

/**
 * Completes the open conversations of contacts, without a text. An end that is held becomes final, and says
 * nothing, either; a choice that is being made ends.
 * @param line what their timelines say of it
 */
export async function closeOpen(
  db: Tx,
  contactIds: readonly number[],
  line: { by: number | null; act: ConversationAct },
): Promise<void> {
  const reached = await lockConversations(
    db,
    and(inArray(conversations.contactId, [...contactIds]), or(isOpen, isHeldEnd, isChoosing)),
  )
  for (const conversation of reached) {
    if (conversation.heldUntil !== null && conversation.status === 'completed')
      await endHold(db, conversation)
    else await close(db, conversation, line)
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  }
}

const isChoosing = eq(conversations.preAttendanceStage, 'waiting_option')

async function close(
  db: Tx,
  conversation: Locked,
  line: { by: number | null; act: ConversationAct },
): Promise<void> {
  await leaveQueue(db, conversation.id)
  await withdrawTexts(db, conversation, 'attended or ended')
  await noteAct(db, conversation, line)
  if (conversation.preAttendanceStage === 'waiting_option')
    await db.delete(preAttendanceTemp).where(eq(preAttendanceTemp.conversationId, conversation.id))
  await updateConversation(db, conversation, {
    status: 'completed',
    completedAt: sql`app_now()`,
    waitingFor: 'client',
    waitingSince: null,
    preAttendanceStage: null,
  })
}
