import { queryOptions } from '@tanstack/react-query'
import { countOfConversation } from '#shared/scheduled/shown-count.ts'
import { call } from '#web/platform/api/api.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { scheduledKey } from './live.ts'

/** How many scheduled messages a chat has to show. */
export const shownCountQuery = (id: number) =>
  queryOptions({
    queryKey: [...scheduledKey, 'count', id],
    queryFn: ({ signal }) => call(countOfConversation, { params: { id }, signal }),
    select: ({ count }) => count,
  })

/** What shows them, where there are any. */
export const useScheduledStrip = partInPlace(() => import('./scheduled-strip.tsx'))
