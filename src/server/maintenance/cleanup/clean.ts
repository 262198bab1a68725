import { eq, sql } from 'drizzle-orm'
import type { CleanupChoice, CleanupCounts } from '#shared/maintenance/maintenance.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type CompletedWithin, countCompleted, deleteCompleted } from '#server/conversations/conversations.ts'
import { sweepFiles } from '#server/media/media.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { JobContext } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import { getSettings } from '#server/settings/settings.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { runProgress } from '#server/maintenance/runs/run-progress.ts'
import { maintenanceRuns } from '#server/schema/maintenance.ts'

/** Conversations that are deleted in one transaction, while which they are locked. */
const atOnce = 200

/**
 * The instants of a choice: days of the settings' zone, both inclusive.
 * @throws AppError 422 when the last day is before the first
 */
export async function rangeOf(db: Db, choice: CleanupChoice): Promise<CompletedWithin> {
  if ('cleanAll' in choice) return {}
  if (choice.dateTo < choice.dateFrom) throw new AppError('maintenance.bad_period')
  const { timezone } = await getSettings(db)
  const [row] = await rows<{ from: string; until: string }>(
    db,
    sql`select (${choice.dateFrom}::date::timestamp at time zone ${timezone})::text as from,
               ((${choice.dateTo}::date + 1)::timestamp at time zone ${timezone})::text as until`,
  )
  if (!row) throw new Error('no instants of a period')
  return { from: new Date(row.from), until: new Date(row.until) }
}

/** Counts what a cleanup would delete. @throws AppError 422 */
export async function previewOf(db: Db, choice: CleanupChoice) {
  return countCompleted(db, await rangeOf(db, choice))
}

/** An attempt at a run that deletes completed conversations. */
export interface CleanupAttempt extends Pick<JobContext<unknown>, 'runId' | 'progress'> {
  data: Extract<MaintenanceWork, { kind: 'cleanup' }>
}

/** Deletes batch by batch. After a crash it goes on; what was deleted until then is counted. */
export async function performCleanup(
  { database, files, log }: { database: Database; files: FileStore; log: Log },
  attempt: CleanupAttempt,
): Promise<void> {
  const { choice, actor } = attempt.data
  const within = await rangeOf(database, choice)
  const progress = runProgress(database, attempt)
  const { conversations } = await countCompleted(database, within)
  await progress.begin('delete', conversations)
  let counts: CleanupCounts
  do {
    counts = await inTransaction(database, async (db) => {
      const deleted = await deleteCompleted(db, within, atOnce)
      await addCounts(db, attempt.runId, deleted)
      await failpoint('cleanup.batch')
      return deleted
    })
    // What fails here, the hourly sweep does.
    await sweepFiles(database, files).catch((error: unknown) =>
      log.warn({ err: error }, 'files of a cleanup not deleted yet'),
    )
    await progress.add(counts.deletedConversations)
  } while (counts.deletedConversations > 0)
  await inTransaction(database, async (db) => {
    const details = await readCounts(db, attempt.runId)
    await record(db, actor, { action: 'maintenance.cleanup_end', details })
  })
}

async function addCounts(db: Db, runId: string, added: CleanupCounts): Promise<void> {
  const before = await readCounts(db, runId)
  const cleanup: CleanupCounts = {
    deletedConversations: before.deletedConversations + added.deletedConversations,
    deletedMessages: before.deletedMessages + added.deletedMessages,
    deletedFiles: before.deletedFiles + added.deletedFiles,
  }
  await db.update(maintenanceRuns).set({ cleanup }).where(eq(maintenanceRuns.id, runId))
}

/** What a run has deleted until now. */
export async function readCounts(db: Db, runId: string): Promise<CleanupCounts> {
  const [row] = await db
    .select({ cleanup: maintenanceRuns.cleanup })
    .from(maintenanceRuns)
    .where(eq(maintenanceRuns.id, runId))
  return row?.cleanup ?? { deletedConversations: 0, deletedMessages: 0, deletedFiles: 0 }
}
