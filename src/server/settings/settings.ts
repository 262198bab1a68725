import { eq, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings.ts'
import type { Db } from '#server/platform/db.ts'
import { systemSettings } from '#server/schema/settings.ts'
import { defaultSettings } from './default-texts.ts'

/** The settings as of now, with the default of whatever nobody has set. Always read: no copy goes stale. */
export async function getSettings(db: Db): Promise<SystemSettings> {
  const [row] = await db
    .select({ values: systemSettings.values })
    .from(systemSettings)
    .where(eq(systemSettings.id, 1))
  return { ...defaultSettings, ...row?.values }
}

/** Sets these, and leaves the others as they are. */
export async function saveSettings(db: Db, values: Partial<SystemSettings>): Promise<void> {
  await db
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
}
