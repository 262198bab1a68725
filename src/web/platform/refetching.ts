import type { QueryClient } from '@tanstack/react-query'

/** Fetches again what is kept under a key, when an event says that it is another. */
export const refetching = (key: string) => (_event: unknown, client: QueryClient) =>
  void client.invalidateQueries({ queryKey: [key] })
