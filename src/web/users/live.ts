import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { userQueries } from './queries.ts'

/** Somebody changed what the signed-in person may do. */
export function applyUserEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'permissions_changed')
    void client.invalidateQueries({ queryKey: userQueries.me().queryKey })
}
