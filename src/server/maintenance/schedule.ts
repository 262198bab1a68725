import type { PeriodicTask } from '#server/platform/work/periodic.ts'
import { AppError } from '#shared/errors.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { startBackup } from '#server/maintenance/backup/acts.ts'
import { backupNameNow, markBegun, readDue } from '#server/maintenance/plan/plan.ts'
import { beginRun, type Queue } from '#server/maintenance/runs/begin.ts'
import { maintenanceJob, type MaintenanceParts } from './job.ts'
import { failStale } from './stale.ts'

/**
 * Begins what the plan has for each day, once. While something else runs it waits: the backup comes before
 * the night's deletions.
 */
export function maintenanceTask(
  parts: MaintenanceParts & { queue: () => Queue | undefined },
  everyMs = 30_000,
): PeriodicTask {
  const { database, queue } = parts
  const job = maintenanceJob(parts)
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
