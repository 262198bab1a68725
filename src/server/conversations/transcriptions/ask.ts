import { AppError } from '#shared/errors.ts'
import type { Row } from '#shared/endpoint.ts'
import { findAssistantConfig, isTranscribing } from '#server/assistant/assistant.ts'
import { record } from '#server/audit/audit.ts'
import { findFileOf, wantFiles } from '#server/media/media.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import {
  conversationNotFound,
  expectReadable,
  lockedMessageFor,
  mayReadLocked,
} from '#server/conversations/store/access.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { askForTranscription } from '#server/conversations/messages/transcription-queue.ts'
import { hasSound } from './record-transcription.ts'

/**
 * Asks for the words of a sound, for whoever may read it. One that has its words, or waits for them, stays as
 * it is.
 * @param ofOthers the row by which they read completed conversations of others
 * @throws AppError 404 not visible, 409 switched off, no sound, or deleted
 */
export async function askForWords(
  database: Database,
  who: Who,
  { conversationId, messageId }: { conversationId: number; messageId: number },
  ofOthers: Row,
): Promise<void> {
  // Whoever may not read it takes no lock.
  await expectReadable(database, who, conversationId, ofOthers)
  await inTransaction(database, async (db) => {
    const conversation = await lockConversation(db, conversationId)
    await confirmRights(who, db)
    if (!conversation || !(await mayReadLocked(db, who, conversation, ofOthers))) throw conversationNotFound()
    const message = await lockedMessageFor(db, who, conversation, messageId)
    if (!hasSound(message)) throw new AppError('messages.not_transcribable')
    if (!isTranscribing(await findAssistantConfig(db))) throw new AppError('assistant.no_transcription')
    if (message.metadata.transcription !== undefined) return
    await record(db, who, {
      action: 'conversation.transcribe',
      resourceId: conversationId,
      details: { messageId },
    })
    await askForTranscription(db, messageId)
    if (!(await findFileOf(db, messageId))) {
      await wantFiles(db, [messageId])
      db.signal('media')
    }
    await changeMessage(db, message, {})
    db.signal('transcriptions')
  })
}
