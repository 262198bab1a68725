import { desc, eq } from 'drizzle-orm'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction, isDatabaseDown, type Tx } from '#server/platform/database/db.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { type JobContext, JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { PartDamaged } from '#server/maintenance/archive/backup-error.ts'
import { type Archive, openArchive } from '#server/maintenance/archive/archive.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import type { MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { failureText } from '#server/maintenance/runs/failure.ts'
import { runProgress } from '#server/maintenance/runs/run-progress.ts'
import { maintenanceBackups, maintenanceRuns } from '#server/schema/maintenance.ts'
import {
  type BackupRow,
  endBackup,
  findNewest,
  insertBackup,
  listOutdated,
  lockBackup,
  newFolder,
} from './backups.ts'
import { type BackupDependencies, makeBackup } from './make.ts'

/** An attempt at a run that makes a backup. */
export interface BackupAttempt extends Pick<JobContext<unknown>, 'runId' | 'attempt' | 'progress'> {
  data: Extract<MaintenanceWork, { kind: 'backup' }>
}

/**
 * Makes the backup of a run. What an attempt has made that died stays failed, and the next one makes another.
 * @param kept how many completed backups of the schedule are kept
 */
export async function performBackup(
  { database, files, store, cipher, databaseDisk }: BackupDependencies,
  attempt: BackupAttempt,
  kept: number,
): Promise<void> {
  const row = await takeRow(database, attempt)
  if (!row) return
  try {
    const earlier = await findEarlier({ database, store, cipher }, row.id)
    const progress = runProgress(database, attempt)
    const make = (from: typeof earlier) =>
      makeBackup(
        { database, files, store, cipher, databaseDisk },
        { folder: row.filePath, earlier: from },
        progress,
      )
    const made = await make(earlier).catch(async (error: unknown) => {
      if (!(error instanceof PartDamaged) || !earlier) throw error
      // What was taken from the earlier one is no longer what it was: everything is copied.
      await store.remove(row.filePath)
      return make(undefined)
    })
    await inTransaction(database, async (db) => {
      const ended = await endBackup(db, row.id, {
        status: 'completed',
        ...made,
        proof: { at: (await appNow(db)).toISOString(), ...made.proof },
      })
      if (ended) await recordEnd(db, ended, attempt)
    })
  } catch (error) {
    if (isDatabaseDown(error) && !isDiskFull(error)) throw error
    // First, since on a full disk it makes the room in which the failure is written.
    // What a bucket keeps that is away, the next backup removes.
    await store.remove(row.filePath).catch(() => undefined)
    await failBackup(database, attempt, row, error)
    throw error
  }
  if (row.isScheduled) await removeOutdated({ database, store }, kept)
}

/** The row that this attempt fills; undefined when it has ended already. */
function takeRow(
  database: Database,
  { runId, attempt, data }: BackupAttempt,
): Promise<BackupRow | undefined> {
  return inTransaction(database, async (db) => {
    const [latest = await lockBackup(db, data.backupId)] = await db
      .select()
      .from(maintenanceBackups)
      .where(eq(maintenanceBackups.runId, runId))
      .orderBy(desc(maintenanceBackups.id))
      .limit(1)
    if (latest.status === 'completed') return undefined
    return attempt === 1 ? latest : renew(db, latest, runId)
  })
}

/** Fails the row of an attempt that died, and inserts one for the next. */
async function renew(db: Tx, before: BackupRow, runId: string): Promise<BackupRow> {
  await endBackup(db, before.id, { status: 'failed', error: 'O servidor parou antes do fim' })
  const { name, isScheduled, createdBy } = before
  const id = await insertBackup(db, { name, isScheduled, createdBy, runId, filePath: await newFolder(db) })
  await db.update(maintenanceRuns).set({ backupId: id }).where(eq(maintenanceRuns.id, runId))
  return lockBackup(db, id)
}

async function failBackup(
  database: Database,
  attempt: BackupAttempt,
  { id }: BackupRow,
  cause: unknown,
): Promise<void> {
  const error = failureText(cause)
  await inTransaction(database, async (db) => {
    const ended = await endBackup(db, id, { status: 'failed', error })
    await db.update(maintenanceRuns).set({ error }).where(eq(maintenanceRuns.id, attempt.runId))
    // One that is handed over to another process goes on there.
    const goesOn = cause instanceof JobInterrupted && cause.reason !== 'cancelled'
    if (ended && !goesOn) await recordEnd(db, ended, attempt)
  })
}

async function recordEnd(db: Tx, { id, name, status }: BackupRow, { data }: BackupAttempt): Promise<void> {
  await record(db, data.actor, {
    action: 'maintenance.backup_end',
    resourceId: id,
    details: { name, status: status === 'completed' ? 'completed' : 'failed' },
  })
}

/** The newest completed backup whose files can be taken: of the same key, or of none as well. */
async function findEarlier(
  { database, store, cipher }: Pick<BackupDependencies, 'database' | 'store' | 'cipher'>,
  id: number,
): Promise<Archive<Manifest> | undefined> {
  const newest = await findNewest(database, id)
  if (!newest || newest.isEncrypted !== (cipher !== undefined)) return undefined
  try {
    return await openArchive({ store, cipher, folder: newest.filePath }, 'backup')
  } catch {
    // It cannot be read: everything is copied.
    return undefined
  }
}

async function removeOutdated(
  { database, store }: Pick<BackupDependencies, 'database' | 'store'>,
  kept: number,
): Promise<void> {
  for (const { id, filePath } of await listOutdated(database, kept)) {
    await database.delete(maintenanceBackups).where(eq(maintenanceBackups.id, id))
    await store.remove(filePath).catch(() => undefined)
  }
}
