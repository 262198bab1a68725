import * as z from 'zod/mini'
import { hasEditableText, isSendable } from './message-kinds.ts'
import { message, type Message, messageText } from './messages.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'

/** How long WhatsApp lets a message be edited after it was sent, in milliseconds. */
export const editWindowMs = 15 * 60_000
/** How long WhatsApp lets a message be deleted for everyone after it was sent, in milliseconds. */
export const deleteWindowMs = 60 * 3_600_000

const messageParams = z.object({ id: idParam, messageId: idParam })

export const editMessage = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/messages/:messageId',
  summary: 'Editar uma mensagem própria, enquanto o WhatsApp deixa',
  act: 'changeMessage',
  audit: 'message.edit',
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
  body: z.object({ content: messageText }),
  reply: message,
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/messages/:messageId',
  summary: 'Apagar uma mensagem para todos, enquanto o WhatsApp deixa',
  act: 'changeMessage',
  audit: 'message.delete',
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
  reply: message,
})

/** Undoes a send that has not left yet: the message is gone, and its text is written anew or dropped. */
export const undoSend = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/undo',
  summary: 'Desfazer um envio próprio, enquanto a mensagem não saiu',
  act: 'changeMessage',
  audit: 'message.undo',
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
})

type Changeable = Pick<
  Message,
  | 'senderId'
  | 'senderType'
  | 'messageType'
  | 'metadata'
  | 'deliveryStatus'
  | 'whatsappMessageId'
  | 'deletedAt'
>

/** Whether WhatsApp has the message and must change it first. A failed message is on nobody's phone. */
export function isAtWhatsApp(message: Pick<Changeable, 'whatsappMessageId' | 'deliveryStatus'>): boolean {
  return message.whatsappMessageId !== null && message.deliveryStatus !== 'failed'
}

/** Whether the text may ever be edited: a text, or the caption of an image or video. */
export function hasEditableWords({ messageType, metadata }: Pick<Changeable, 'messageType' | 'metadata'>) {
  return hasEditableText(messageType) && !metadata.isRound && !metadata.isErased
}

/** Whether a person may edit a message now. */
export function isEditable(message: Changeable & { sentAt: string }, userId: number, nowMs: number): boolean {
  const { senderId, deletedAt, deliveryStatus, sentAt } = message
  if (senderId !== userId || deletedAt !== null || !hasEditableWords(message)) return false
  if (!isAtWhatsApp(message)) return deliveryStatus === 'pending'
  return nowMs - Date.parse(sentAt) < editWindowMs
}

/** Whether a message may be forwarded: a text or a file that WhatsApp does not show only once. */
export function isForwardable({
  messageType,
  metadata,
  deletedAt,
}: Pick<Message, 'messageType' | 'metadata'> & { deletedAt: string | Date | null }): boolean {
  if (deletedAt !== null || metadata.isErased) return false
  return isSendable(messageType) && metadata.isViewOnce !== true
}

/** Whether a person may delete a message for everyone: senders their own, administrators any of the team. */
export function mayDelete(
  who: { id: number; role: string },
  { senderId, senderType }: Pick<Changeable, 'senderId' | 'senderType'>,
): boolean {
  return senderType === 'user' && (senderId === who.id || who.role === 'admin')
}

/** Whether a person may delete a message for everyone now. */
export function isDeletable(
  message: Changeable & { sentAt: string },
  who: { id: number; role: string },
  nowMs: number,
): boolean {
  const { deletedAt, deliveryStatus, sentAt } = message
  if (deletedAt !== null || !mayDelete(who, message)) return false
  if (!isAtWhatsApp(message)) return deliveryStatus === 'pending' || deliveryStatus === 'failed'
  return nowMs - Date.parse(sentAt) < deleteWindowMs
}
