import { getConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { record } from '#server/audit/audit.ts'
import { inTransaction, type Place, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { retag } from '#server/tags/tags.ts'
import { conversationNotFound, mayReadLocked } from '#server/conversations/store/access.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { type Locked, lockConversation } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'

/** What is put on a conversation and taken off it, by ids. */
interface Tags {
  add?: readonly number[] | undefined
  remove?: readonly number[] | undefined
}

const ofOthers = getConversation.rows['GET /api/conversations/{completed}']

/**
 * Puts tags on a conversation and takes others off.
 * @param act `permit` throws when the person may not do so with a conversation of this status
 * @throws AppError 403, 404 not visible; as `retag`
 */
export async function tagConversation(
  database: Place,
  who: Who,
  act: Tags & { conversationId: number; permit: (status: Conversation['status']) => void },
): Promise<void> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversation(db, act.conversationId)
    await confirmRights(who, db)
    if (!conversation || !(await mayReadLocked(db, who, conversation, ofOthers))) throw conversationNotFound()
    act.permit(conversation.status)
    await tagLocked(db, who, conversation, act)
  })
}

/**
 * The same of a conversation that the person acts on.
 * @returns the conversation as it is then
 */
export async function tagLocked(db: Tx, who: Who, conversation: Locked, tags: Tags): Promise<Locked> {
  const { tagIds, added, removed } = await retag(db, conversation, tags)
  if (added.length + removed.length === 0) return conversation
  const changed = await updateConversation(db, conversation, { tagIds })
  await noteAct(db, changed, {
    by: who.id,
    act: 'tagged',
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  })
  await record(db, who, {
    action: 'conversation.tags',
    resourceId: conversation.id,
    details: { added, removed },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  return changed
}
