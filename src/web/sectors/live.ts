import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { sectorQueries } from './queries.ts'

/** Sectors, or what of them depends on the settings, are others. */
export function refetchSectors(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries(sectorQueries.all())
}

export const onPushed = { sectors_changed: [refetchSectors] }
