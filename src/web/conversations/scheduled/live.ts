import type { QueryClient } from '@tanstack/react-query'

/** Below that of conversations: it is forgotten with them. */
export const scheduledKey = ['conversations', 'scheduled'] as const

/** Fetches what is shown of scheduled messages again. */
export function refetchScheduled(_event: unknown, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: scheduledKey })
}
