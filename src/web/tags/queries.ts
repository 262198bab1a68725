import { queryOptions, useQuery } from '@tanstack/react-query'
import { listTags } from '#shared/tags/tags.ts'
import { call } from '#web/platform/api/api.ts'
import { useMe } from '#web/users/users.tsx'
import { tagKeys } from './live.ts'

/** Asked where there are any. */
export const useKnownTags = () => useQuery({ ...tagQueries.known(), enabled: useMe().hasTags }).data

export const tagQueries = {
  /** The tags as everybody knows them, and where one is asked for. */
  known: () =>
    queryOptions({
      queryKey: [...tagKeys.all, 'known'],
      queryFn: ({ signal }) => call(listTags, { signal }),
      staleTime: Infinity,
    }),
}
