import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listPauseReasons } from '#shared/workday/pauses.ts'
import { call } from '#web/platform/api/api.ts'

export const pauseKeys = { all: ['pauses'] } as const

/** The reasons of pauses, also the inactive ones. */
export const pauseQuery = queryOptions({
  queryKey: pauseKeys.all,
  queryFn: ({ signal }) => call(listPauseReasons, { signal }),
})

export function refetchPauses(_event: unknown, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: pauseKeys.all })
}
