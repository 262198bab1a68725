import { queryOptions } from '@tanstack/react-query'
import { getSystemSettings } from '#shared/settings.ts'
import { call } from '#web/platform/api.ts'

const freshMs = 60_000

export const settingsQueries = {
  /** What the person may see of the settings. @see specification §7 GET /api/system-settings */
  system: () =>
    queryOptions({
      queryKey: ['system-settings'],
      queryFn: ({ signal }) => call(getSystemSettings, { signal }),
      staleTime: freshMs,
    }),
}
