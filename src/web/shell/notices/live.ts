import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

export const noticesKey = ['notices'] as const

/** A notice begins, ends, or was dismissed on another device. */
export function refetchNotices(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: noticesKey })
}
