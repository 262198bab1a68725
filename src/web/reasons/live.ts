import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

/** Here, since every page loads this file, and few the calls. */
export const reasonKeys = { all: ['reasons'] } as const

/** Reasons, or where one is asked for, are others. */
export function refetchReasons(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: reasonKeys.all })
}
