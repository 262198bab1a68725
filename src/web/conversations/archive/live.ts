import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'

const all = ['archive'] as const

/** The parts of the keys of the archive, apart from its calls: every screen hears of changes. */
export const archiveKeys = {
  all,
  pages: [...all, 'page'],
  messages: [...all, 'messages'],
} as const

/** The search knows a conversation about a second after its completion; several are fetched together. */
const laterMs = 1500
let timer: ReturnType<typeof setTimeout> | undefined

/** Fetches the list again after a conversation was deleted. */
export function refetchArchive(_event: LiveEvent, client: QueryClient): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void client.invalidateQueries({ queryKey: archiveKeys.pages })
  }, laterMs)
}

/** Fetches the list again after a conversation was completed, and the conversation after it was changed. */
export function refetchArchiveOfCompleted(
  event: LiveEventOf<'conversation_updated'>,
  client: QueryClient,
): void {
  const { id, status } = event.data.conversation
  if (status !== 'completed') return
  refetchArchive(event, client)
  void client.invalidateQueries({ queryKey: [...archiveKeys.all, 'one', id] })
}

/**
 * Fetches the messages of a completed conversation again after a note of the team was written or changed, or
 * somebody wanted a sound in words.
 */
export function refetchArchivedMessages(
  { data: { conversation, message } }: LiveEventOf<'new_message'>,
  client: QueryClient,
): void {
  if (conversation.status !== 'completed') return
  if (message.messageType === 'note' || message.transcription !== undefined)
    void client.invalidateQueries({ queryKey: [...archiveKeys.messages, conversation.id] })
}
