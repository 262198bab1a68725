import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { settingsQueries } from './queries.ts'

/** Somebody changed the settings: every open tab reads them again. */
export function applySettingsEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'settings_changed')
    void client.invalidateQueries({ queryKey: settingsQueries.system().queryKey })
}
