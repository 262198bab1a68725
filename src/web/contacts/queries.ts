import { queryOptions } from '@tanstack/react-query'
import { getContact } from '#shared/contacts.ts'
import { call } from '#web/platform/api.ts'

export const contactQueries = {
  one: (id: number) =>
    queryOptions({
      queryKey: ['contacts', 'one', id],
      queryFn: ({ signal }) => call(getContact, { params: { id: id }, signal }),
      staleTime: 30_000,
    }),
}
