import { enterQueue } from '#server/automation/automation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'

/**
 * Puts a conversation into the queue that was opened by an earlier choice, or because the contact did not
 * choose.
 */
export async function queueAttended(db: Tx, conversation: Locked): Promise<void> {
  const changed = await updateConversation(db, conversation, await waitingOf(db, conversation.id))
  db.emit({ type: 'new_conversation', conversationId: conversation.id })
  await enterQueue(db, changed)
}
