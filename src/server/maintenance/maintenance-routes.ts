import {
  cleanupConversations,
  createBackup,
  deleteBackup as deleteBackupCall,
  downloadBackup,
  getMaintenanceStats,
  listBackups,
  previewCleanup,
  previewRestore,
  restoreBackup,
  type RestoreChoice,
  stopMaintenance,
} from '#shared/maintenance/maintenance.ts'
import {
  getMaintenancePlan,
  previewRetention as previewRetentionCall,
  putMaintenancePlan,
} from '#shared/maintenance/maintenance-plan.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { backupAnswer, deleteBackup, startBackup } from '#server/maintenance/backup/acts.ts'
import {
  isUnsigned,
  listBackupViews,
  lockBackup,
  readBackupView,
  readCompleted,
} from '#server/maintenance/backup/backups.ts'
import { previewOf, rangeOf, readCounts } from '#server/maintenance/cleanup/clean.ts'
import { readPlan, writePlan } from '#server/maintenance/plan/plan.ts'
import { previewRetention } from '#server/maintenance/plan/retention.ts'
import { actorOf, beginRun, type MaintenanceWork, type Queue } from '#server/maintenance/runs/begin.ts'
import { readRun } from '#server/maintenance/runs/views.ts'
import { noteFailure } from './job.ts'
import { createStats } from './stats.ts'

/** How often a cleanup whose caller waits is looked at. */
const lookMs = 200

/** The calls of maintenance: backups, restores, cleanups, and what happens by itself. */
export function maintenanceRoutes(
  { route }: Http,
  {
    config,
    database,
    files,
    store,
    log,
    queue,
    maintenanceJob,
  }: {
    config: Pick<Config, 'backupKey'>
    database: Database
    files: FileStore
    store: BackupStore
    log: Log
    /** undefined in a process that runs no jobs. */
    queue: () => Queue | undefined
    maintenanceJob: JobDefinition<MaintenanceWork>
  },
): void {
  const readStats = createStats(database, files)
  const act = async <Result>(work: (db: Tx) => Promise<Result>): Promise<Result> => {
    await queue()?.ready()
    return inTransaction(database, work)
  }
  const begin = (db: Tx, who: Who, work: MaintenanceWork) =>
    beginRun(db, queue(), maintenanceJob, work, who.id)
  const viewRun = async (id: string) => {
    const run = await readRun(database, id)
    if (!run) throw new Error('run not begun')
    return run
  }

  route(getMaintenanceStats, () => readStats())

  route(listBackups, () => listBackupViews(database, config))

  route(createBackup, async ({ who, body: { name } }) => {
    const id = await act(async (db) => {
      await confirmRights(who, db)
      return startBackup(
        db,
        { queue: queue(), job: maintenanceJob },
        { actor: actorOf(who), name, createdBy: who.id },
      )
    })
    return readBackupView(database, config, id)
  })

  route(deleteBackupCall, async ({ who, params }) => {
    await deleteBackup({ database, store, log }, who, params.id)
    return undefined
  })

  route(downloadBackup, ({ who, params, request, reply }) =>
    backupAnswer({ database, store }, who, params.backupId, { request, reply }),
  )

  const startRestore = async (
    who: Who,
    backupId: number,
    choice: RestoreChoice,
    kind: 'preview' | 'restore',
  ) => {
    if (!choice.restoreComplete && !choice.restoreSettings) throw new AppError('maintenance.nothing_chosen')
    const id = await act(async (db) => {
      await lockBackup(db, backupId)
      const backup = await readCompleted(db, backupId)
      const { name } = backup
      await confirmRights(who, db)
      if (isUnsigned(backup, config) && !choice.acceptUnsigned) throw new AppError('maintenance.unsigned')
      const runId = await begin(db, who, { kind, backupId, choice, actor: actorOf(who) })
      await record(db, who, {
        action: `maintenance.${kind}`,
        resourceId: backupId,
        details: { name, ...choice },
      })
      return runId
    })
    return viewRun(id)
  }

  route(previewRestore, ({ who, params, body }) => startRestore(who, params.backupId, body, 'preview'))

  route(restoreBackup, ({ who, params, body }) => startRestore(who, params.backupId, body, 'restore'))

  route(stopMaintenance, async ({ who, params: { runId } }) => {
    await act(async (db) => {
      const run = await readRun(db, runId)
      if (!run) throw new AppError('maintenance.over')
      await confirmRights(who, db)
      const isOver = run.state !== 'queued' && run.state !== 'running'
      if (isOver || (await queue()?.cancel(db, runId)) === false) throw new AppError('maintenance.over')
      // One that had not begun never will.
      if (run.state === 'queued') await noteFailure(db, runId, 'Parado antes do fim')
      await record(db, who, { action: 'maintenance.stop', details: { kind: run.kind } })
    })
    return undefined
  })

  route(previewCleanup, ({ body }) => previewOf(database, body))

  route(cleanupConversations, async ({ who, body }) => {
    await rangeOf(database, body)
    const id = await act(async (db) => {
      await confirmRights(who, db)
      const runId = await begin(db, who, { kind: 'cleanup', choice: body, actor: actorOf(who) })
      await record(db, who, { action: 'maintenance.cleanup', details: body })
      return runId
    })
    while (queue()) {
      const { state } = await viewRun(id)
      if (state === 'done' || state === 'cancelled')
        return { ...(await readCounts(database, id)), isFinished: state === 'done' }
      if (state === 'failed') throw new AppError('maintenance.failed')
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    return { ...(await readCounts(database, id)), isFinished: false }
  })

  route(getMaintenancePlan, () => readPlan(database))

  route(putMaintenancePlan, ({ who, body }) => act((db) => writePlan(db, who, body)))

  route(previewRetentionCall, ({ body }) => previewRetention(database, body))
}
