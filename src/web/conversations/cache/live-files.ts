import type { QueryClient } from '@tanstack/react-query'
import type { LiveEventOf } from '#shared/live-events.ts'
import { isMediaType } from '#shared/messages/message-kinds.ts'
import { invalidateCached } from '#web/platform/patch-queries.ts'
import { conversationQueries, type MediaOf } from './queries.ts'

const keyOf = (of: MediaOf) => [...conversationQueries.medias, of]

/** Fetches the files of a conversation again after a message with one arrived, or received its file. */
export function refetchFilesOfMessage(
  { data: { message } }: LiveEventOf<'message_received' | 'new_message' | 'customer_message_notification'>,
  client: QueryClient,
): void {
  if (isMediaType(message.messageType))
    invalidateCached(client, keyOf({ conversationId: message.conversationId }))
}

/** Fetches the files of a conversation again after messages were removed or moved. */
export function refetchFiles({ data }: LiveEventOf<'timeline_changed'>, client: QueryClient): void {
  invalidateCached(client, keyOf({ conversationId: data.conversationId }))
}

/** Fetches the files of a contact again: every message of theirs changes their conversation. */
export function refetchFilesOfContact(
  { data }: LiveEventOf<'conversation_updated'>,
  client: QueryClient,
): void {
  invalidateCached(client, keyOf({ contactId: data.conversation.contactId }))
}
