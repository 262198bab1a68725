import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { settingsQueries } from './queries.ts'

/** Somebody changed the settings: every open tab reads them again. */
export function applySettingsEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'settings_changed')
    for (const { queryKey } of [settingsQueries.system(), settingsQueries.media()])
      void client.invalidateQueries({ queryKey })
}
