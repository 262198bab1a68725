import { eq, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings.ts'
import type { Db } from '#server/platform/database/db.ts'
import { renderChanged } from '#server/platform/live/live-render.ts'
import { systemSettings } from '#server/schema/settings.ts'
import { defaultSettings } from './default-texts.ts'

export const settingsEvents = { settings_changed: renderChanged('settings_changed') }

/** The settings as of now, with the default of whatever nobody has set. Always read: no copy goes stale. */
export async function getSettings(db: Db): Promise<SystemSettings> {
  return (await readSettings(db)).settings
}

/** The same with their version: 0 before anybody has changed anything. */
export async function readSettings(db: Db): Promise<{ settings: SystemSettings; version: number }> {
  const [row] = await db
    .select({ values: systemSettings.values, version: systemSettings.version })
    .from(systemSettings)
    .where(eq(systemSettings.id, 1))
  return { settings: { ...defaultSettings, ...row?.values }, version: row?.version ?? 0 }
}

/** Sets these, and leaves the others as they are. @returns the version that they have by it */
export async function saveSettings(db: Db, values: Partial<SystemSettings>): Promise<number> {
  const [row] = await db
    .insert(systemSettings)
    .values({ values })
    .onConflictDoUpdate({
      target: systemSettings.id,
      set: {
        values: sql`${systemSettings.values} || excluded.values`,
        version: sql`${systemSettings.version} + 1`,
        updatedAt: sql`app_now()`,
      },
    })
    .returning({ version: systemSettings.version })
  if (!row) throw new Error('settings not saved')
  return row.version
}
