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
import { runBackup } from '#server/maintenance/backup/run.ts'
import { runCleanup } from '#server/maintenance/cleanup/clean.ts'
import { readPlan } from '#server/maintenance/plan/plan.ts'
import { runRetention } from '#server/maintenance/plan/retention.ts'
import { runRestore } from '#server/maintenance/restore/run.ts'
import type { MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { deathText, failureText } from '#server/maintenance/runs/failure.ts'
import { maintenanceBackups, maintenanceRuns } from '#server/schema/maintenance.ts'

export interface MaintenanceParts {
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

/** All long work of the room, one at a time. */
export const maintenanceJob = (parts: MaintenanceParts): JobDefinition<MaintenanceWork> =>
  defineJob<MaintenanceWork>({
    name: 'maintenance',
    singleton: true,
    afterCrash: 'again',
    apart: true,
    work: (job) => orFail(parts, job, () => run(parts, job)),
    onGivenUp: (db, { runId, death }) => noteFailure(db, runId, deathText(death)),
  })

async function run(parts: MaintenanceParts, job: JobContext<MaintenanceWork>): Promise<void> {
  const { data } = job
  switch (data.kind) {
    case 'backup':
      return runBackup(parts, { ...job, data }, (await readPlan(parts.database)).backupsKept)
    case 'preview':
    case 'restore':
      return runRestore(parts, { ...job, data })
    case 'cleanup':
      return runCleanup(parts, { ...job, data })
    case 'retention':
      return runRetention(parts, job)
  }
}

/**
 * A run that throws says why; what the queue repeats has not ended. On a full disk the run fails: what is
 * tried again does not end there before somebody makes room.
 */
async function orFail(
  { database }: MaintenanceParts,
  { runId }: JobContext<MaintenanceWork>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRepeated = error instanceof JobInterrupted && error.reason !== 'cancelled'
    if (isRepeated || (isDatabaseDown(error) && !isDiskFull(error))) throw error
    await database
      .update(maintenanceRuns)
      .set({ error: failureText(error) })
      .where(eq(maintenanceRuns.id, runId))
    // The database is not away, as the queue would think.
    throw isDiskFull(error) ? new BackupError(failureText(error)) : error
  }
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
