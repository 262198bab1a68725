import { eq, sql } from 'drizzle-orm'
import { isRefusedKind } from '#shared/media.ts'
import type { SystemSettings } from '#shared/settings.ts'
import { exceptionAt, isOpen, openMsBetween } from '#shared/working-hours.ts'
import { isNobodyFree, positionOf } from '#server/automation/automation.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { queuePendingConversations } from '#server/schema/queue.ts'
import { lastSent, sendAutomatic } from '#server/conversations/store/texts.ts'
import { type Locked } from '#server/conversations/store/lock.ts'

type Arrived = Extract<GatewayEvent, { kind: 'message' }>

/**
 * What a client is told by itself when something of his has just arrived: that this kind of file is not taken, that
 * nobody is here now, or, where he is new in the FILA, his place in it or a welcome. Each once a conversation, and the
 * second once a closed period.
 * @param now the instant of the arrival
 * @see decisions §3 Texts, Queue
 */
export async function greet(
  db: Tx,
  conversation: Locked,
  { settings, event, isNew, now }: { settings: SystemSettings; event: Arrived; isNew: boolean; now: Date },
): Promise<void> {
  if (bringsRefused(event) && !(await lastSent(db, conversation.id, 'blockedFileMessage')))
    await sendAutomatic(db, conversation, 'blockedFileMessage', { settings })
  if (!isOpen(settings, now)) return sayClosed(db, conversation, settings, now)
  if (!isNew) return
  const position = await positionOf(db, conversation.id)
  if (!(await isNobodyFree(db, settings.maxActivePerOperator))) {
    await sendAutomatic(db, conversation, 'queueWelcomeMessage', { settings })
  } else if (
    position !== undefined &&
    (await sendAutomatic(db, conversation, 'queueMessage', { settings, position }))
  )
    await db
      .update(queuePendingConversations)
      .set({ toldPosition: position, toldAt: sql`app_now()` })
      .where(eq(queuePendingConversations.conversationId, conversation.id))
}

/** A file of a kind that is not taken. @see specification §3 media_settings */
function bringsRefused({ content }: Arrived): boolean {
  return isRefusedKind(content.messageType, content.mimeType)
}

/** Whether a message that arrives now in an open conversation may be answered by itself. */
export function mayBeAnswered(settings: SystemSettings, event: Arrived, now: Date): boolean {
  if (bringsRefused(event) && settings.blockedFileMessage.trim() !== '') return true
  return settings.isAutoReplyEnabled && !isOpen(settings, now)
}

/** Whether the first message of a conversation is kept for a choice, or answered by itself. */
export function mayBeGreeted(settings: SystemSettings, event: Arrived, now: Date): boolean {
  if (settings.preAttendanceEnabled || mayBeAnswered(settings, event, now)) return true
  const isSaid = settings.queueWelcomeMessage.trim() !== '' || settings.queueMessage.trim() !== ''
  return isSaid && isOpen(settings, now)
}

async function sayClosed(db: Tx, conversation: Locked, settings: SystemSettings, now: Date): Promise<void> {
  if (!settings.isAutoReplyEnabled) return
  const told = await lastSent(db, conversation.id, 'autoReplyMessage')
  const isSamePeriod = (at: Date | undefined) => at !== undefined && openMsBetween(settings, at, now) === 0
  if (isSamePeriod(told) || isSamePeriod(await lastOfOperator(db, conversation.id))) return
  const written = exceptionAt(settings, now)?.message.trim()
  await sendAutomatic(db, conversation, 'autoReplyMessage', { settings, ...(written && { written }) })
}

/** Whoever is being answered all the same need not be told that nobody is here. */
async function lastOfOperator(db: Db, conversationId: number): Promise<Date | undefined> {
  const [row] = await rows<{ at: string | null }>(
    db,
    sql`select max(created_at)::text as at from messages
         where conversation_id = ${conversationId} and sender_id is not null and delivery_status is not null`,
  )
  return row?.at ? new Date(row.at) : undefined
}
