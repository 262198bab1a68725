import { eq, sql } from 'drizzle-orm'
import { refusedExtensionOf } from '#shared/messages/media.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { exceptionAt, isOpen, openMsBetween } from '#shared/settings/working-hours.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { isNobodyFree, positionOf } from '#server/automation/automation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { queuePendingConversations } from '#server/schema/conversations/queue.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { lastWriting } from '#server/conversations/store/waiting.ts'
import { lastSent, sendAutomatic } from '#server/conversations/store/texts.ts'

/**
 * Sends the automatic texts that answer a contact's message: that the file was not kept, that nobody
 * answers now, or, with the first message of a conversation, the place in the queue or a welcome. Each is
 * sent once a conversation, the second once a closed period, and not where somebody of the team has just
 * written.
 * @param now the instant of the arrival
 * @see decisions §3 Texts, Queue
 */
export async function greet(
  db: Tx,
  conversation: Locked,
  {
    settings,
    event,
    isFirst,
    now,
  }: { settings: SystemSettings; event: IncomingMessage; isFirst: boolean; now: Date },
): Promise<void> {
  if (isToldOfFile(settings, event) && !(await lastSent(db, conversation.id, 'blockedFileMessage')))
    await sendAutomatic(db, conversation, 'blockedFileMessage', { settings })
  if (!isOpen(settings, now)) return sendClosed(db, conversation, settings, now)
  if (!isFirst) return
  const position = await positionOf(db, conversation.id)
  if (!(await isNobodyFree(db, conversation))) {
    await sendAutomatic(db, conversation, 'queueWelcomeMessage', {
      settings,
      ...(position !== undefined && { position }),
    })
  } else if (
    position !== undefined &&
    (await sendAutomatic(db, conversation, 'queueMessage', { settings, position }))
  )
    await db
      .update(queuePendingConversations)
      .set({ toldPosition: position, toldAt: sql`app_now()` })
      .where(eq(queuePendingConversations.conversationId, conversation.id))
}

/** Whether the client is told that their file was not kept. @see specification §5 Upload */
function isToldOfFile(settings: SystemSettings, { content }: IncomingMessage): boolean {
  return settings.blockedFileNotice && refusedExtensionOf(content) !== undefined
}

/** Whether `greet` may send anything. Pure. */
export function mayBeGreeted(
  settings: SystemSettings,
  event: IncomingMessage,
  { isFirst, now }: { isFirst: boolean; now: Date },
): boolean {
  if (isToldOfFile(settings, event) && !showsNothing(settings.blockedFileMessage)) return true
  if (!isOpen(settings, now)) return settings.isAutoReplyEnabled
  return isFirst && !(showsNothing(settings.queueWelcomeMessage) && showsNothing(settings.queueMessage))
}

/** Whoever is answered by a person needs no text that nobody answers. */
const quietAfterPersonMs = 2 * 60 * 60_000

async function sendClosed(db: Tx, conversation: Locked, settings: SystemSettings, now: Date): Promise<void> {
  if (!settings.isAutoReplyEnabled) return
  const sentAt = await lastSent(db, conversation.id, 'autoReplyMessage')
  // Within one closed period there are no open hours.
  if (sentAt !== undefined && openMsBetween(settings, sentAt, now) === 0) return
  const writing = await lastWriting(db, conversation.id)
  if (writing && now.getTime() - writing.at.getTime() < quietAfterPersonMs) return
  const written = exceptionAt(settings, now)?.message ?? ''
  await sendAutomatic(db, conversation, 'autoReplyMessage', {
    settings,
    ...(!showsNothing(written) && { written }),
  })
}
