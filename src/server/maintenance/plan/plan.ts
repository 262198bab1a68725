import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { MaintenancePlan, StoredPlan } from '#shared/maintenance/maintenance-plan.ts'
import { record } from '#server/audit/audit.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { maintenancePlans } from '#server/schema/maintenance.ts'
import { getSettings } from '#server/settings/settings.ts'

/** Of an installation where nobody has chosen anything: nothing happens automatically. */
const nothingPlanned: StoredPlan = {
  version: 0,
  isBackupScheduled: false,
  backupTime: '23:00',
  backupsKept: 14,
  mediaDays: null,
  textDays: null,
  inboxDays: null,
  auditDays: null,
}

export async function readPlan(db: Db): Promise<StoredPlan> {
  const [row] = await db.select().from(maintenancePlans).where(eq(maintenancePlans.id, 1))
  return { ...nothingPlanned, ...row?.plan }
}

/**
 * Changes the plan on behalf of a person.
 * @param seen the version that the person saw; absent: no conflict is detected
 * @throws AppError 409 with the name of the person who has changed it since; then nothing changes
 */
export async function writePlan(
  db: Tx,
  who: Who,
  { version: seen, ...plan }: MaintenancePlan & { version?: number | undefined },
): Promise<StoredPlan> {
  await lockName(db, 'maintenance_plans')
  const before = await readPlan(db)
  await confirmRights(who, db)
  const changed = (Object.keys(plan) as (keyof MaintenancePlan)[]).filter(
    (field) => plan[field] !== before[field],
  )
  if (changed.length === 0) return before
  if (seen !== undefined && seen !== before.version)
    throw new AppError('maintenance.plan_changed', { values: { name: await whoChanged(db) } })
  const stored = { ...plan, version: before.version + 1 }
  await db
    .insert(maintenancePlans)
    .values({ plan: stored })
    .onConflictDoUpdate({ target: maintenancePlans.id, set: { plan: stored, updatedAt: sql`app_now()` } })
  const changes = Object.fromEntries(changed.map((field) => [field, [before[field], plan[field]] as const]))
  await record(db, who, { action: 'maintenance.plan', details: { changes } })
  return stored
}

/** The last person who changed the plan. */
async function whoChanged(db: Db): Promise<string> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select u.name from audit_logs a join users u on u.id = a.user_id
         where split_part(a.action, '.', 1) = 'maintenance' and a.action = 'maintenance.plan'
         order by a.created_at desc, a.id desc limit 1`,
  )
  return found?.name ?? 'Outra pessoa'
}

/** When the night's deletions begin, by the clock of the settings' zone. */
const retentionTime = '03:30'

export interface Due {
  isBackupDue: boolean
  isRetentionDue: boolean
}

/** The day and the time of the settings' zone: `2026-11-26`, `18:07`. */
async function localNow(db: Db): Promise<{ day: string; time: string; stamp: string }> {
  const { timezone } = await getSettings(db)
  const [row] = await rows<{ day: string; time: string; stamp: string }>(
    db,
    sql`select to_char(n, 'YYYY-MM-DD') as day, to_char(n, 'HH24:MI') as time,
               to_char(n, 'DD-MM-YYYY_HH24-MI') as stamp
          from (select app_now() at time zone ${timezone} as n) l`,
  )
  if (!row) throw new Error('no time')
  return row
}

/** The name of a backup that is made now. */
export const backupNameNow = async (db: Db): Promise<string> => `Backup_${(await localNow(db)).stamp}`

/** What the plan has for this minute, or had since the last time that somebody asked today. */
export async function readDue(db: Tx): Promise<Due> {
  const plan = await readPlan(db)
  const { day, time } = await localNow(db)
  const [row] = await db.select().from(maintenancePlans).where(eq(maintenancePlans.id, 1)).for('update')
  const hasPeriod = [plan.mediaDays, plan.textDays, plan.inboxDays, plan.auditDays].some(
    (days) => days !== null,
  )
  return {
    isBackupDue: plan.isBackupScheduled && time >= plan.backupTime && row?.backupDay !== day,
    isRetentionDue: hasPeriod && time >= retentionTime && row?.retentionDay !== day,
  }
}

/** Remembers that it was begun today. */
export async function markBegun(db: Tx, what: 'backupDay' | 'retentionDay'): Promise<void> {
  const { day } = await localNow(db)
  await db
    .update(maintenancePlans)
    .set({ [what]: day })
    .where(eq(maintenancePlans.id, 1))
}
