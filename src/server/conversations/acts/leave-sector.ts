import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { leaveContactsOf } from '#server/contacts/contacts.ts'
import { leaveNumbersOf } from '#server/gateway/gateway.ts'
import { leaveRepliesOf } from '#server/quick-replies/quick-replies.ts'
import { leaveReasonsOf } from '#server/reasons/reasons.ts'
import type { LeaveSector } from '#server/sectors/sectors.ts'
import { leaveTagsOf } from '#server/tags/tags.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { lockConversations } from '#server/conversations/store/lock.ts'
import { changeQueue } from './to-sector.ts'

/**
 * Moves what a locked sector has to a locked one, or to none. Completed conversations keep the sector.
 * @throws AppError 422 for a target that does not serve the number of a conversation
 */
export const leaveSector: LeaveSector = async (db, sectorId, target) => {
  const targetId = target?.id ?? null
  // Before their conversations, in the order in which what comes in locks them.
  const contacts = await leaveContactsOf(db, sectorId, targetId)
  const isUnderWay = or(isOpen, eq(conversations.preAttendanceStage, 'waiting_option'))
  const held = await lockConversations(db, and(eq(conversations.sectorId, sectorId), isUnderWay))
  const served = target?.numberIds
  if (target && served && held.some(({ instanceId }) => !served.includes(instanceId)))
    throw new AppError('sectors.other_number', { values: { name: target.name } })
  if (held.length > 0)
    await db
      .update(conversations)
      .set({ sectorId: targetId, version: sql`${conversations.version} + 1` })
      .where(
        inArray(
          conversations.id,
          held.map(({ id }) => id),
        ),
      )
  for (const conversation of held) {
    const isInQueue = conversation.status !== 'completed' && conversation.subStatus === 'FILA'
    if (isInQueue && !isSnoozed(conversation)) await changeQueue(db, conversation)
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  }
  if (held.length > 0) db.emit({ type: 'queue_changed' })
  await leaveNumbersOf(db, sectorId, target)
  await leaveReasonsOf(db, sectorId)
  await leaveTagsOf(db, sectorId)
  const quickReplies = await leaveRepliesOf(db, sectorId, targetId)
  return { conversations: held.length, contacts, quickReplies }
}
