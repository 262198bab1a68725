import { useSyncExternalStore } from 'react'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { keepWritten, readWritten, subscribeWritten } from './local-drafts.ts'

/**
 * The note that a person has begun to write in a conversation, beside the draft of the reply. It is kept in
 * this browser only, like text to a contact without a conversation: a completed conversation has no drafts on
 * the server.
 */
export function useNoteDraft(userId: number, conversationId: number) {
  const written = useSyncExternalStore(subscribeWritten, () => readNoteDraft(userId, conversationId))
  return {
    text: written?.content ?? '',
    mentions: written?.mentions,
    write: (content: string, mentions?: readonly Mention[]) =>
      keepNoteDraft(userId, conversationId, content, mentions),
  }
}

const keyOf = (conversationId: number) => `note-${conversationId}`

export const readNoteDraft = (userId: number, conversationId: number) =>
  readWritten(userId, keyOf(conversationId))

/** @param mentions whom the text mentions */
export function keepNoteDraft(
  userId: number,
  conversationId: number,
  content: string,
  mentions?: readonly Mention[],
): void {
  const written = { content, quoted: null, atMs: serverNow(), ...(mentions?.length && { mentions }) }
  keepWritten(userId, keyOf(conversationId), content === '' ? undefined : written)
}
