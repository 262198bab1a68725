import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

/** Here, since every page loads this file, and few the calls. */
export const tagKeys = { all: ['tags'] } as const

/** Tags, or where one is asked for, are others. */
export function refetchTags(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: tagKeys.all })
}
