import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes cached data under a key. Invalidated queries stay invalidated, since only a fetch makes them fresh;
 * `setQueryData` alone would take data that is known to be old for new.
 * @param change returns the same object if nothing changes
 */
export function patchQueries<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: Data, queryKey: QueryKey) => Data,
): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const { data, isInvalidated } = query.state
    const next = data === undefined ? data : change(data as Data, query.queryKey)
    if (next === data) continue
    client.setQueryData(query.queryKey, next)
    if (isInvalidated) query.invalidate()
  }
}

/** Has what is cached under a key fetched again; nothing is done when nothing is cached. */
export function invalidateCached(client: QueryClient, queryKey: QueryKey): void {
  if (client.getQueryCache().find({ queryKey, exact: false })) void client.invalidateQueries({ queryKey })
}
