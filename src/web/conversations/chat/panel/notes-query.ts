import { queryOptions } from '@tanstack/react-query'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { call } from '#web/platform/api/api.ts'
import { listNotes } from '#shared/messages/newest-notes.ts'

/** The newest notes of the team, and how many there are. */
export const notesQuery = (conversationId: number) =>
  queryOptions({
    queryKey: conversationQueries.notesKey(conversationId),
    queryFn: ({ signal }) => call(listNotes, { params: { id: conversationId }, signal }),
    staleTime: 30_000,
  })
