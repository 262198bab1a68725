import type { PeriodicTask } from '#server/platform/work/periodic.ts'
import { AppError } from '#shared/errors.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { startBackup } from '#server/maintenance/backup/acts.ts'
import { backupNameNow, markBegun, readDue } from '#server/maintenance/plan/plan.ts'
import { beginRun, type MaintenanceWork, type Queue } from '#server/maintenance/runs/begin.ts'
import { failStale } from './stale.ts'

/**
 * Begins what the plan has for each day, once. While something else runs it waits: the backup comes before
 * the night's deletions.
 */
export function maintenanceTask(
  {
    database,
    queue,
    job,
  }: {
    database: Database
    /** undefined in a process that runs no jobs. */
    queue: () => Queue | undefined
    job: JobDefinition<MaintenanceWork>
  },
  everyMs = 30_000,
): PeriodicTask {
  return {
    name: 'maintenance-plan',
    everyMs,
    async work() {
      await failStale(database, false)
      const running = queue()
      if (!running) return
      await running.ready()
      await inTransaction(database, async (db) => {
        const { isBackupDue, isRetentionDue } = await readDue(db)
        if (isBackupDue) {
          const name = await backupNameNow(db)
          await startBackup(db, { queue: running, job }, { actor: 'system', name, isScheduled: true })
          await markBegun(db, 'backupDay')
        } else if (isRetentionDue) {
          await beginRun(db, running, job, { kind: 'retention' }, undefined)
          await markBegun(db, 'retentionDay')
        }
      }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'maintenance.busy') throw error
      })
    },
  }
}
