import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getContact, listCategories, listContacts } from '#shared/contacts.ts'
import { call } from '#web/platform/api/api.ts'

export const contactQueries = {
  one: (id: number) =>
    queryOptions({
      queryKey: ['contacts', 'one', id],
      queryFn: ({ signal }) => call(getContact, { params: { id: id }, signal }),
      staleTime: 30_000,
    }),

  /** The first results of a search. */
  found: (search: string, limit: number) =>
    queryOptions({
      queryKey: ['contacts', 'found', search, limit],
      queryFn: async ({ signal }) => {
        const { contacts } = await call(listContacts, { query: { page: 1, limit, search }, signal })
        return contacts
      },
      staleTime: 30_000,
      placeholderData: keepPreviousData,
    }),

  /** The categories on offer. */
  categories: () =>
    queryOptions({
      queryKey: ['contact-categories'],
      queryFn: ({ signal }) => call(listCategories, { signal }),
      staleTime: 60_000,
    }),
}
