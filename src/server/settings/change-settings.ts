import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { neverOpens } from '#shared/settings/working-hours.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { changedParts } from './changed-parts.ts'
import { readSettings, saveSettings } from './settings.ts'

/** What other rooms write with a change of the settings, in its transaction. */
export type OnSettingsChange = (db: Tx, settings: SystemSettings, before: SystemSettings) => Promise<void>

/**
 * Changes settings on behalf of a person and notifies every open tab.
 * @param seen the version that the person saw; absent: no conflict is detected
 * @param onChange what else changes with them, in the same transaction
 * @returns all settings after the change
 * @throws AppError 409 with the name of the person who has changed one of the same settings since; then
 *   nothing changes; 422 when it would never be open
 */
export async function changeSettings(
  database: Database,
  who: Who,
  changes: Partial<SystemSettings>,
  seen: number | undefined,
  onChange?: OnSettingsChange,
): Promise<SystemSettings & { version: number }> {
  return inTransaction(database, (db) => changeSettingsIn(db, who, changes, seen, onChange))
}

/**
 * `changeSettings` in an open transaction.
 * @param wanted the changes, or what makes them of the settings as they are under their lock
 */
export async function changeSettingsIn(
  db: Tx,
  who: Who,
  wanted: Partial<SystemSettings> | ((now: SystemSettings) => Partial<SystemSettings>),
  seen?: number,
  onChange?: OnSettingsChange,
): Promise<SystemSettings & { version: number }> {
  await lockName(db, 'system_settings')
  await confirmRights(who, db)
  const before = await readSettings(db)
  const changes = typeof wanted === 'function' ? wanted(before.settings) : wanted
  const names = (Object.keys(changes) as (keyof SystemSettings)[]).filter(
    (name) => !isDeepStrictEqual(changes[name], before.settings[name]),
  )
  if (names.length === 0) return { ...before.settings, version: before.version }
  const other = seen === undefined ? undefined : await whoChanged(db, names, seen)
  if (other !== undefined) throw new AppError('settings.changed', { values: { name: other } })
  const version = await saveSettings(db, Object.fromEntries(names.map((name) => [name, changes[name]])))
  const changed = names.map((name) => [name, changedParts(before.settings[name], changes[name])])
  await record(db, who, {
    action: 'settings.change',
    resourceId: 1,
    details: { version, names, changes: Object.fromEntries(changed) },
  })
  db.emit({ type: 'settings_changed' })
  const settings = { ...before.settings, ...changes }
  if (('workingHours' in changes || 'lunchBreak' in changes) && neverOpens(settings))
    throw new AppError('settings.never_opens')
  await onChange?.(db, settings, before.settings)
  return { ...settings, version }
}

/** The last person who changed one of these settings after a version. */
async function whoChanged(db: Db, names: string[], seen: number): Promise<string | undefined> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select coalesce(u.name, '') as name from audit_logs a left join users u on u.id = a.user_id
         where split_part(a.action, '.', 1) = 'settings' and a.action = 'settings.change'
           and (a.details ->> 'version')::int > ${seen}
           and a.details -> 'names' ?| ${sql.param(names)}::text[]
         order by a.created_at desc, a.id desc limit 1`,
  )
  return found?.name
}
