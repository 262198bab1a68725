import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'

/** Here, since every page loads this file, and few the calls. */
export const sectorKeys = { all: ['sectors'] } as const

/** Sectors, or what of them depends on the settings, are others. */
export function refetchSectors(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: sectorKeys.all })
}
