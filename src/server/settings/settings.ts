import { eq, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { systemSettings } from '#server/schema/settings.ts'
import { defaultSettings } from './default-texts.ts'

export { changesClosing } from './closing-rules.ts'
export { typedCompanyPhone, typedPhone, usualAreaCode } from './typed-phone.ts'

/**
 * The current settings of the installation, with defaults for those that were never set. Read from the
 * database each time, so never stale.
 */
export async function getSettings(db: Db): Promise<SystemSettings> {
  return (await readSettings(db)).settings
}

/**
 * The settings that apply to a conversation of this number, and of this sector if it has one: those of the
 * sector, for the others those of the number, and for the rest those of the installation. Whatever a client
 * gets or waits for is decided by these.
 */
export async function settingsOfNumber(
  db: Db,
  instanceId: number,
  sectorId: number | null = null,
): Promise<SystemSettings> {
  const [row] = await rows<Record<'values' | 'own' | 'ofSector', Partial<SystemSettings> | null>>(
    db,
    sql`select (select s.values from system_settings s where s.id = 1) as values,
               (select g.own_settings from evolution_api_config g where g.id = ${instanceId}) as own,
               (select z.own_settings from sectors z where z.id = ${sectorId}::int) as "ofSector"`,
  )
  return withDefaults({ ...row?.values, ...row?.own, ...row?.ofSector })
}

function withDefaults(values: Partial<SystemSettings> | null | undefined): SystemSettings {
  const settings = { ...defaultSettings, ...values }
  return { ...settings, lunchBreak: withoutEmptyBreak(settings.lunchBreak) }
}

/** The installation's settings with their version; 0 before the first change. */
export async function readSettings(db: Db): Promise<{ settings: SystemSettings; version: number }> {
  const [row] = await db
    .select({ values: systemSettings.values, version: systemSettings.version })
    .from(systemSettings)
    .where(eq(systemSettings.id, 1))
  return { settings: withDefaults(row?.values), version: row?.version ?? 0 }
}

/** A lunch break of no length, which is now refused but may be stored, has never been in effect. */
function withoutEmptyBreak(lunchBreak: SystemSettings['lunchBreak']): SystemSettings['lunchBreak'] {
  return lunchBreak.start === lunchBreak.end ? { ...lunchBreak, enabled: false } : lunchBreak
}

/** The time for which a send can be undone, as an interval of SQL. */
export const undoSendTime = sql`coalesce(
  (select (s.values ->> 'undoSendSeconds')::int from system_settings s where s.id = 1),
  ${sql.raw(String(defaultSettings.undoSendSeconds))}) * interval '1 second'`

/** Sets these values and leaves the others unchanged. @returns the new version */
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
