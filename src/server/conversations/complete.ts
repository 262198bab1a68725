import { sql } from 'drizzle-orm'
import type { ConversationAct } from '#shared/message-metadata.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import type { Db, Emit } from '#server/platform/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { type AutomaticText, sendAutomatic } from './texts.ts'
import { type Locked, noteAct, updateConversation } from './write.ts'

/**
 * Ends a locked conversation: says goodbye to the contact, asks him how it was where that is wanted, and writes down
 * what ended it.
 * @param by null: the product itself
 */
export async function complete(
  db: Db,
  emit: Emit,
  conversation: Locked,
  goodbye: Extract<AutomaticText, 'finalizationMessage' | 'inactivityMessage'>,
  { by, act, notes }: { by: number | null; act: ConversationAct; notes?: string },
): Promise<void> {
  const settings = await getSettings(db)
  await sendAutomatic(db, emit, conversation, goodbye, { settings })
  const isAsked =
    settings.ratingsEnabled && (await sendAutomatic(db, emit, conversation, 'ratingMessage', { settings }))
  await leaveQueue(db, emit, conversation.id)
  await noteAct(db, emit, conversation, { by, act })
  await updateConversation(db, conversation.id, {
    status: 'completed',
    completedAt: sql`app_now()`,
    waitingFor: 'client',
    waitingSince: null,
    ratingAskedAt: isAsked ? sql`app_now()` : null,
    ...(notes !== undefined && { notes }),
  })
  emit({ type: 'conversation_updated', conversationId: conversation.id })
}
