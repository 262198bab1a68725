import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listCategories } from '#shared/contacts/contact-categories.ts'
import { getContact, listContacts } from '#shared/contacts/contacts.ts'
import { call } from '#web/platform/api/api.ts'
import type { PageFilter } from '#web/platform/browser/use-page-filter.ts'
import { contactKeys } from './live.ts'

export interface ContactFilter extends PageFilter {
  /** In lower case; '' for all. */
  category: string
  /** '' for any. */
  tag: string
}

const { all } = contactKeys

export const contactQueries = {
  all,

  one: (id: number) =>
    queryOptions({
      queryKey: contactKeys.one(id),
      queryFn: ({ signal }) => call(getContact, { params: { id: id }, signal }),
      staleTime: 30_000,
    }),

  /** A page of the screen, by name. The page before stays until the next one has come. */
  page: ({ page, limit, search, category, tag }: ContactFilter) =>
    queryOptions({
      queryKey: [...all, 'page', page, limit, search, category, tag],
      queryFn: ({ signal }) => {
        const filter = { ...(search && { search }), ...(category && { category }), ...(tag && { tag }) }
        return call(listContacts, { query: { page, limit, ...filter }, signal })
      },
      placeholderData: keepPreviousData,
    }),

  /** The first results of a search. */
  found: (search: string, limit: number) =>
    queryOptions({
      queryKey: [...all, 'found', search, limit],
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
