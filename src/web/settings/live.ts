import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'

/** The settings were changed: refetch them in every tab. */
export function refetchSettings(_event: LiveEvent, client: QueryClient): void {
  for (const { queryKey } of [settingsQueries.system(), settingsQueries.media()])
    void client.invalidateQueries({ queryKey })
}
