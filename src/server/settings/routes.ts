import {
  getMediaSettings,
  getSystemSettings,
  saveMediaSettings,
  saveSystemSettings,
} from '#shared/settings/settings-endpoints.ts'
import { publicSettingKeys, type SystemSettings } from '#shared/settings/settings.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { changeSettings, type OnSettingsChange } from './change-settings.ts'
import { readMediaSettings } from './media-settings.ts'
import { readSettings } from './settings.ts'

const full = 'GET /api/system-settings (full)'

export function routes(
  { route, routeByRow }: Http,
  {
    database,
    config,
    onSettingsChange,
  }: {
    database: Database
    config: Config
    onSettingsChange: OnSettingsChange
  },
): void {
  routeByRow(getSystemSettings, async ({ isPermitted }) => {
    const { settings, version } = await readSettings(database)
    const now = await appNow(database)
    const seen: Partial<SystemSettings> = isPermitted(full)
      ? settings
      : Object.fromEntries(publicSettingKeys.map((key) => [key, settings[key]]))
    return {
      ...seen,
      isOpenNow: isOpen(settings, now),
      changesAt: nextChange(settings, now)?.toISOString() ?? null,
      version,
    }
  })
  route(saveSystemSettings, ({ who, body: { version, ...changes } }) =>
    changeSettings(database, who, changes, version, onSettingsChange),
  )
  route(getMediaSettings, ({ who }) => readMediaSettings(database, config, who.flags.canViewSettings))
  route(saveMediaSettings, async ({ who, body }) => {
    await changeSettings(database, who, body, undefined, onSettingsChange)
    return readMediaSettings(database, config, who.flags.canViewSettings)
  })
}
