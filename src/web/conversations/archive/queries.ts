import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  archivedMessagesPerPage,
  type ArchiveFilter,
  type ArchiveOrder,
  getArchived,
  listArchived,
  listArchivedMessages,
  searchArchived,
} from '#shared/conversations/archive.ts'
import { nullWhenMissing } from '#web/conversations/cache/queries.ts'
import { call } from '#web/platform/api/api.ts'
import { archiveKeys } from './live.ts'

export interface ArchiveQuestion extends ArchiveFilter {
  page: number
  limit: number
  search: string
  order: ArchiveOrder
  /** The moment of the first page, so that the others do not shift. */
  asOf: string | undefined
}

const { all, pages } = archiveKeys

export const archiveQueries = {
  page: ({ search, asOf, ...asked }: ArchiveQuestion) =>
    queryOptions({
      queryKey: [...pages, { search, asOf, ...asked }],
      queryFn: ({ signal }) =>
        call(listArchived, { query: { ...asked, ...(search && { search }), ...(asOf && { asOf }) }, signal }),
      placeholderData: keepPreviousData,
    }),

  /** null: it does not exist, is open, or is not visible to this person. */
  one: (id: number) =>
    queryOptions({
      queryKey: [...all, 'one', id],
      queryFn: ({ signal }) => call(getArchived, { params: { id }, signal }).catch(nullWhenMissing),
    }),

  /** A page of the messages by its number, or the one that has a message. */
  messages: (id: number, of: { page: number } | { messageId: number }) =>
    queryOptions({
      queryKey: [...archiveKeys.messages, id, of],
      queryFn: ({ signal }) =>
        call(listArchivedMessages, {
          params: { id },
          query: { ...of, limit: archivedMessagesPerPage },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),

  /** The messages of a conversation in which something is found. */
  hits: (id: number, search: string) =>
    queryOptions({
      queryKey: [...all, 'hits', id, search],
      queryFn: ({ signal }) => call(searchArchived, { params: { id }, query: { search }, signal }),
    }),
}
