import { getSystemSettings, publicSettingKeys } from '#shared/settings.ts'
import type { Database } from '#server/platform/db.ts'
import type { Http } from '#server/platform/http.ts'
import { getSettings } from './settings.ts'

const full = 'GET /api/system-settings (full)'

export function settingsRoutes({ route }: Http, { database }: { database: Database }): void {
  route(
    getSystemSettings,
    { 'GET /api/system-settings (projection)': [], [full]: ['canViewSettings'] },
    async ({ isPermitted }) => {
      const settings = await getSettings(database)
      if (isPermitted(full)) return settings
      return Object.fromEntries(publicSettingKeys.map((key) => [key, settings[key]]))
    },
  )
}
