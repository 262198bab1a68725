import { queryOptions } from '@tanstack/react-query'
import { listLastReasons } from '#shared/reasons/conversation-reason.ts'
import { listReasons } from '#shared/reasons/reasons.ts'
import { call } from '#web/platform/api/api.ts'
import { reasonKeys } from './live.ts'

const { all } = reasonKeys

export const reasonQueries = {
  /** The reasons as everybody knows them, and where one is asked for. */
  known: () =>
    queryOptions({
      queryKey: [...all, 'known'],
      queryFn: ({ signal }) => call(listReasons, { signal }),
      staleTime: Infinity,
    }),
  /** Those with which the last conversations of a conversation's contact ended. */
  last: (conversationId: number) =>
    queryOptions({
      queryKey: [...all, 'last', conversationId],
      queryFn: ({ signal }) => call(listLastReasons, { params: { id: conversationId }, signal }),
    }),
}
