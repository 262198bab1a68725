import type { Conversation } from '#shared/conversations/conversations.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import type { Message } from '#shared/messages/messages.ts'
import { unknownContact } from '#shared/text/text.ts'
import type { ToastContent } from '#web/ui/states/toast.ts'

/** Who is notified, and which chat is in front of them, where the message itself says it. */
interface Listener {
  userId: number
  /** The server's time. */
  nowMs: number
  viewedId: number | undefined
  open: (conversationId: number) => void
}

/** An older message that failed is no news when it changes. */
const newsMs = 3_600_000

/** The messages whose failure was announced: not again when one changes or its event is replayed. */
export type AnnouncedFailures = Set<number>

/**
 * The notification that a reply did not go out: to whoever wrote it, and to whoever has the conversation.
 * Another attempt that fails is announced again.
 */
export function failureNotice(
  event: LiveEvent,
  announced: AnnouncedFailures,
  { userId, nowMs, viewedId, open }: Listener,
): ToastContent | undefined {
  if (event.type !== 'new_message') return undefined
  const { conversation, message } = event.data
  if (message.deliveryStatus !== 'failed' || message.deletedAt !== null) {
    announced.delete(message.id)
    return undefined
  }
  if (announced.has(message.id)) return undefined
  announced.add(message.id)
  if (nowMs - Date.parse(message.createdAt) > newsMs) return undefined
  if (viewedId === conversation.id || !concerns(userId, conversation, message)) return undefined
  return {
    title: `Mensagem não enviada a ${conversation.contact.name || unknownContact}`,
    description: message.failureReason ?? 'O WhatsApp não aceitou a mensagem.',
    tone: 'error',
    action: { label: 'Abrir', onClick: () => open(conversation.id) },
  }
}

const concerns = (userId: number, { assignedUserId }: Conversation, { senderId }: Message) =>
  senderId === userId || assignedUserId === userId
