import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { liveStatus, onLiveStatus, onResync } from '#web/platform/live/live.ts'

const pollWhileDownMs = 5000
/**
 * While events are pushed, slow polling remains as a fallback. @see decisions §2 'refetch every 5 s / 2 s'
 */
const safetyMs = 60_000
const queryRetries = 2

/** For `refetchInterval`: polls fast only while nothing is pushed. */
export function pollInterval(whileDownMs = pollWhileDownMs): () => number {
  return () => (liveStatus() === 'open' ? safetyMs : whileDownMs)
}

/**
 * The cache of server data, with the specification's defaults: always stale; fetched on mount, focus,
 * reconnect and by interval; no retry after a 401, otherwise two; mutations never repeated, and paused while
 * offline.
 * @see specification §7
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 0,
        refetchOnMount: true,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        refetchInterval: pollInterval(),
        retry: (failures, error) => !isUnauthorized(error) && failures < queryRetries,
      },
      mutations: { retry: false, networkMode: 'online' },
    },
  })
}

/** Refetches everything after a gap, and updates the polling intervals when the link connects or breaks. */
export function linkToLive(client: QueryClient): () => void {
  const stops = [
    onResync(() => void client.invalidateQueries()),
    onLiveStatus(() => {
      for (const query of client.getQueryCache().getAll())
        for (const observer of query.observers) observer.setOptions(observer.options)
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
