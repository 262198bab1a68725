import { maxFileSize } from '#shared/media.ts'
import { isMediaType } from '#shared/message-kinds.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { wantFiles } from '#server/media/media.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { lockWaId } from './delivery.ts'
import { type Inserted, insertMessage } from '#server/conversations/store/write.ts'
import { type Locked } from '#server/conversations/store/lock.ts'

/** Older than this a contact's message came late; it is shown as recovered, and nothing sounds. @see decisions §3 */
export const recoveredAfterMs = 2 * 60_000
/** Older than this it is of the past: kept, and nobody is queued. */
export const historyAfterMs = 24 * 60 * 60_000

/** Writes a message that the gateway reported into a locked conversation. */
export async function appendArrived(
  db: Tx,
  conversation: Locked,
  event: Extract<GatewayEvent, { kind: 'message' }>,
  isRecovered: boolean,
): Promise<Inserted> {
  await lockWaId(db, conversation.instanceId, event.waId)
  const inserted = await insertMessage(db, conversation, arrivedValues(event, isRecovered))
  if (bringsFile(event)) {
    await wantFiles(db, [inserted.id])
    db.signal('media')
  }
  return inserted
}

/** Whether its file is fetched at once: the past comes by the thousands, and is fetched when somebody opens it. */
export function bringsFile({ content, isHistory }: Extract<GatewayEvent, { kind: 'message' }>): boolean {
  return isMediaType(content.messageType) && !isHistory && (content.sizeBytes ?? 0) <= maxFileSize
}

/** The columns of a message that the gateway reported. */
export function arrivedValues(event: Extract<GatewayEvent, { kind: 'message' }>, isRecovered: boolean) {
  const isOwn = event.origin !== 'contact'
  return {
    senderType: isOwn ? 'user' : 'contact',
    content: event.content.content,
    messageType: event.content.messageType,
    fileName: event.content.fileName ?? null,
    fileMimeType: event.content.mimeType ?? null,
    fileSize: event.content.sizeBytes ?? null,
    whatsappMessageId: event.waId,
    quotedWhatsappId: event.quoted?.waId ?? null,
    quotedContent: event.quoted?.content ?? null,
    sentAt: event.sentAt,
    deliveryStatus: isOwn ? 'sent' : null,
    metadata: {
      ...event.content.metadata,
      ...(isRecovered && { recovered: true }),
      ...(event.origin !== 'contact' && { origin: event.origin }),
    },
  } as const
}
