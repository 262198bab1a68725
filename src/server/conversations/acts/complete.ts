import { type SQL, sql } from 'drizzle-orm'
import { undoFinalizeMs } from '#shared/conversations/conversation-endpoints.ts'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { type AutomaticText, sendAutomatic, withdrawTexts } from '#server/conversations/store/texts.ts'
import { lastWriting } from '#server/conversations/store/waiting.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/** A little longer than screens offer to undo it, since the last click still has a way to go. */
export const heldFor = sql`interval '${sql.raw(String(undoFinalizeMs + 1000))} milliseconds'`

/**
 * Completes a locked conversation: sends the closing text, and the rating question where ratings are enabled
 * and a person has answered, and records in the timeline what ended it.
 * @param by the user; null for the product itself
 * @param heldFor how long it can be undone, as an interval: until then the texts wait
 */
export async function complete(
  db: Tx,
  conversation: Locked,
  goodbye: Extract<AutomaticText, 'finalizationMessage' | 'inactivityMessage'>,
  {
    by,
    act,
    notes,
    heldFor,
  }: { by: number | null; act: ConversationAct; notes?: string; heldFor?: SQL | undefined },
): Promise<void> {
  const settings = await settingsOfNumber(db, conversation.instanceId, conversation.sectorId)
  await withdrawTexts(db, conversation, 'attended or ended')
  await sendAutomatic(db, conversation, goodbye, { settings, heldFor })
  const isWanted =
    settings.ratingsEnabled &&
    (goodbye === 'finalizationMessage' || settings.ratingAfterInactivity) &&
    (await lastWriting(db, conversation.id)) !== undefined
  const isAsked = isWanted && (await sendAutomatic(db, conversation, 'ratingMessage', { settings, heldFor }))
  await leaveQueue(db, conversation.id)
  const completed = await updateConversation(db, conversation, {
    status: 'completed',
    completedAt: sql`app_now()`,
    waitingFor: 'client',
    waitingSince: null,
    ratingAskedAt: isAsked ? sql`app_now()` : null,
    ...(heldFor && { heldUntil: sql`now() + ${heldFor}` }),
    ...(notes !== undefined && { notes }),
  })
  // Those who may not read the archive are not told.
  await noteAct(db, completed, { by, act })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
}

/** Whether the contact has written something after a message. */
export async function hasWrittenSince(
  db: Db,
  conversationId: number,
  seenMessageId: number,
): Promise<boolean> {
  const newer = await rows(
    db,
    sql`select 1 from messages where conversation_id = ${conversationId} and id > ${seenMessageId}
           and sender_type = 'contact' limit 1`,
  )
  return newer.length > 0
}
