import { type Query, QueryClient } from '@tanstack/react-query'
import { isRefusal } from './api-error.ts'
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
 * reconnect and by interval; mutations never repeated, and paused while offline. A failed query is retried
 * twice, but not one that the server refused.
 * @see specification §7, decision 50
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 0,
        refetchOnMount: true,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        refetchInterval: pollInterval(),
        retry: (failures, error) => !isRefusal(error) && failures < queryRetries,
      },
      mutations: { retry: false, networkMode: 'online' },
    },
  })
  repeatOvertaken(client)
  keepErrors(client)
  return client
}

/**
 * Keeps the error of a query that has no data while the query is fetched again. React Query takes it back
 * with each attempt, so that a screen would change between its error and its skeleton every few seconds.
 */
function keepErrors(client: QueryClient): void {
  const failed = new WeakMap<Query, Error>()
  client.getQueryCache().subscribe((event) => {
    const { query, type } = event
    // Whoever opens the screen anew sees it load.
    if (type === 'observerRemoved' && query.getObserversCount() === 0) failed.delete(query)
    if (type !== 'updated') return
    const { error, status, data } = query.state
    if (event.action.type === 'fetch') {
      const known = failed.get(query)
      if (known && data === undefined) query.setState({ error: known, status: 'error' })
    } else if (status === 'error' && error && query.getObserversCount() > 0) failed.set(query, error)
    else failed.delete(query)
  })
}

/**
 * Fetches again what was invalidated while it was being fetched for the first time: React Query goes on with
 * that fetch, whose answer may be from before the change, and takes it for fresh.
 */
function repeatOvertaken(client: QueryClient): void {
  const overtaken = new WeakSet<Query>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const { data, fetchStatus } = query.state
    if (action.type === 'invalidate' && data === undefined && fetchStatus !== 'idle') overtaken.add(query)
    else if (action.type === 'success' && !action.manual && overtaken.delete(query))
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
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
