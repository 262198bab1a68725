import type { Notification } from '#shared/notifications/notifications.ts'
import { archivedAddress } from '#web/conversations/conversations.tsx'

/** Where it is seen what a notification tells of. */
export function addressOf(
  kind: Notification['kind'],
  { conversationId, isCompleted, message }: NonNullable<Notification['about']>,
): string {
  if (kind === 'unsent_schedule') return '/agendadas?state=failed'
  if (isCompleted) return archivedAddress(conversationId, { messageId: message?.id })
  return `/chat?conversation=${conversationId}${message ? `&mensagem=${message.id}` : ''}`
}
