import { useSyncExternalStore } from 'react'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { keepWritten, readWritten, subscribeWritten } from './local-drafts.ts'

/**
 * The note that a person has begun to write in a conversation, beside the draft of the reply. It is kept in
 * this browser only, like text to a contact without a conversation: a completed conversation has no drafts on
 * the server.
 */
export function useNoteDraft(userId: number, conversationId: number) {
  const key = `note-${conversationId}`
  const written = useSyncExternalStore(subscribeWritten, () => readWritten(userId, key))
  return {
    text: written?.content ?? '',
    write: (content: string) =>
      keepWritten(userId, key, content === '' ? undefined : { content, quoted: null, atMs: serverNow() }),
  }
}
