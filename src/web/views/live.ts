import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

/** Here, since every page loads this file, and few the calls. */
export const viewKeys = { all: ['views'] } as const

export function refetchViews(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: viewKeys.all })
}
