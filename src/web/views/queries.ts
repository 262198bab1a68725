import { queryOptions } from '@tanstack/react-query'
import { listViews } from '#shared/views/views.ts'
import { call } from '#web/platform/api/api.ts'
import { viewKeys } from './live.ts'

export const viewQueries = {
  /** The views that the person sees, in their order. */
  seen: () =>
    queryOptions({
      queryKey: [...viewKeys.all, 'seen'],
      queryFn: ({ signal }) => call(listViews, { signal }),
      staleTime: Infinity,
    }),
}
