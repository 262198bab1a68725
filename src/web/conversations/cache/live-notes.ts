import type { QueryClient } from '@tanstack/react-query'
import type { LiveEventOf } from '#shared/live-events.ts'
import { invalidateCached } from '#web/platform/patch-queries.ts'
import { conversationQueries } from './queries.ts'

/** Fetches the newest notes of a conversation again after one was written, edited or deleted. */
export function refetchNotes({ data: { message } }: LiveEventOf<'new_message'>, client: QueryClient): void {
  if (message.messageType === 'note')
    invalidateCached(client, conversationQueries.notesKey(message.conversationId))
}

/** The same after messages were removed or moved. */
export function refetchNotesOf({ data }: LiveEventOf<'timeline_changed'>, client: QueryClient): void {
  invalidateCached(client, conversationQueries.notesKey(data.conversationId))
}
