import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

export const noticesKey = ['notices'] as const

/** A notice begins, ends, or was dismissed on another device. */
export function applyNoticeEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'notices_changed') void client.invalidateQueries({ queryKey: noticesKey })
}
