import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'

/** The settings were changed: refetch them in every tab. */
export function applySettingsEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'settings_changed')
    for (const { queryKey } of [settingsQueries.system(), settingsQueries.media()])
      void client.invalidateQueries({ queryKey })
}
