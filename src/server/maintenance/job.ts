import { and, eq } from 'drizzle-orm'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { isDatabaseDown } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { type DatabaseDisk, isDiskFull } from '#server/platform/file-store/disk-room.ts'
import {
  defineJob,
  type JobContext,
  type JobDefinition,
  JobInterrupted,
} from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { type BackupCipher, createBackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { endBackup } from '#server/maintenance/backup/backups.ts'
import { performBackup } from '#server/maintenance/backup/perform.ts'
import { performCleanup } from '#server/maintenance/cleanup/clean.ts'
import { readPlan } from '#server/maintenance/plan/plan.ts'
import { performRetention } from '#server/maintenance/plan/retention.ts'
import { performRestore } from '#server/maintenance/restore/perform.ts'
import type { MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { deathText, failureText } from '#server/maintenance/runs/failure.ts'
import { maintenanceBackups, maintenanceRuns } from '#server/schema/maintenance.ts'

/** What the work of the job uses. */
export interface MaintenanceDependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
  databaseDisk: DatabaseDisk
  secrets: Secrets
  log: Log
}

/** @param key BACKUP_KEY */
export const cipherOf = (key: string | undefined): BackupCipher | undefined =>
  key === undefined ? undefined : createBackupCipher(key)

/**
 * The job of all long work of the room, which does one run at a time. A run is a row of `maintenance_runs`:
 * what somebody or the plan has begun, from its start to its end. An attempt is one execution of its work;
 * after a crash there is another one.
 */
export const maintenanceJob = (dependencies: MaintenanceDependencies): JobDefinition<MaintenanceWork> =>
  defineJob<MaintenanceWork>({
    name: 'maintenance',
    singleton: true,
    afterCrash: 'again',
    apart: true,
    work: (attempt) =>
      perform(dependencies, attempt).catch((error: unknown) =>
        throwWithReason(dependencies.database, attempt.runId, error),
      ),
    onGivenUp: (db, { runId, death }) => noteFailure(db, runId, deathText(death)),
  })

/** Does the work of a run. */
async function perform(
  { database, files, store, cipher, databaseDisk, secrets, log }: MaintenanceDependencies,
  attempt: JobContext<MaintenanceWork>,
): Promise<void> {
  const { data } = attempt
  switch (data.kind) {
    case 'backup': {
      const { backupsKept } = await readPlan(database)
      const dependencies = { database, files, store, cipher, databaseDisk }
      return performBackup(dependencies, { ...attempt, data }, backupsKept)
    }
    case 'preview':
    case 'restore':
      return performRestore({ database, files, store, cipher, databaseDisk, secrets }, { ...attempt, data })
    case 'cleanup':
      return performCleanup({ database, files, log }, { ...attempt, data })
    case 'retention':
      return performRetention({ database, files, log }, attempt)
  }
}

/**
 * Notes in the run why its attempt has failed; of what the queue repeats nothing is noted. On a full disk the
 * run fails: what is tried again does not end there before somebody makes room.
 */
async function throwWithReason(database: Database, runId: string, error: unknown): Promise<never> {
  const isRepeated = error instanceof JobInterrupted && error.reason !== 'cancelled'
  if (isRepeated || (isDatabaseDown(error) && !isDiskFull(error))) throw error
  await database
    .update(maintenanceRuns)
    .set({ error: failureText(error) })
    .where(eq(maintenanceRuns.id, runId))
  // The database is not away, as the queue would think.
  throw isDiskFull(error) ? new BackupError(failureText(error)) : error
}

/** Ends what a run was working on that nobody runs any more. */
export async function noteFailure(db: Tx, runId: string, error: string): Promise<void> {
  await db.update(maintenanceRuns).set({ error }).where(eq(maintenanceRuns.id, runId))
  const [backup] = await db
    .select({ id: maintenanceBackups.id })
    .from(maintenanceBackups)
    .where(and(eq(maintenanceBackups.runId, runId), eq(maintenanceBackups.status, 'processing')))
  if (backup) await endBackup(db, backup.id, { status: 'failed', error })
}
