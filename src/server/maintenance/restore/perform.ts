import { eq, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { RestoreCounts } from '#shared/maintenance/restore-plan.ts'
import { record } from '#server/audit/audit.ts'
import {
  type Database,
  type Db,
  inTransaction,
  isDatabaseDown,
  pgCode,
} from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { type DatabaseDisk, isDiskFull, reserveBytes } from '#server/platform/file-store/disk-room.ts'
import type { JobContext } from '#server/platform/jobs/job-definition.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import {
  type Archive,
  checkArchive,
  openArchive,
  readFileLines,
} from '#server/maintenance/archive/archive.ts'
import type { FileLine } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { dropScratch, dropScratches, openClient } from '#server/maintenance/archive/scratch.ts'
import { stageTables } from '#server/maintenance/archive/stage.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { readCompleted } from '#server/maintenance/backup/backups.ts'
import type { MaintenanceWork } from '#server/maintenance/runs/begin.ts'
import { runProgress } from '#server/maintenance/runs/run-progress.ts'
import { maintenanceRuns } from '#server/schema/maintenance.ts'
import { beginMerge, type Staging } from './begin-merge.ts'
import { copyIn, forgetCopied } from './copy-in.ts'
import { mergeRows } from './merge.ts'
import { readPlan } from './read-plan.ts'

/** What a restore uses. */
export interface RestoreDependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
  databaseDisk: DatabaseDisk
  secrets: Secrets
}

/** An attempt at a run that restores a backup, or previews that. */
export interface RestoreAttempt extends Pick<JobContext<unknown>, 'runId' | 'progress'> {
  data: Extract<MaintenanceWork, { kind: 'preview' | 'restore' }>
}

/** How long sends stay paused if this process dies, and how often it says that it lives. */
const pauseMs = 60_000
const renewMs = 15_000

/**
 * Restores a backup, or only reports what that would change. The database is as before, or as it will be: all
 * rows are merged in one transaction.
 * @throws BackupError for a file that is not whole, and what the database or the disk threw
 */
export async function performRestore(
  { database, files, store, cipher, databaseDisk, secrets }: RestoreDependencies,
  attempt: RestoreAttempt,
): Promise<void> {
  // An attempt that died after its commit has done everything.
  if (await isApplied(database, attempt)) return
  const { backupId, choice, kind, actor } = attempt.data
  const { filePath: folder, name, isEncrypted } = await readCompleted(database, backupId)
  const progress = runProgress(database, attempt)
  // A backup that was signed when it came and is not now has been replaced: nobody may accept that.
  const acceptUnsigned = choice.acceptUnsigned && !isEncrypted
  const archive = await openArchive({ store, cipher, folder }, 'backup', { acceptUnsigned })
  await checkArchive(archive, progress)
  const client = await openClient(database)
  try {
    await dropScratches(client)
    await forgetCopied({ database, files })
    const watched = whileThereIsRoom(databaseDisk, progress)
    const scratch = await stageTables(client, archive, { progress: watched, step: 'stage' })
    await failpoint('restore.staged')
    const stored = await listStoredFiles(archive)
    const staging = { scratch: scratch.name, choice, manifest: archive.manifest, stored }
    await progress.begin('plan')
    const planned = await plan({ database, secrets }, staging)
    if (kind === 'preview') await keepPlan(database, attempt.runId, planned.plan)
    else {
      const { runId } = attempt
      await copyIn({ database, files }, archive, { runId, wanted: planned.files }, progress)
      await expectRoom(databaseDisk, client, scratch.name)
      await apply({ database, secrets }, { ...staging, runId, name, backupId, actor }, progress)
    }
    await dropScratch(client, scratch.name)
  } catch (error) {
    // What was made would fill the disk until the next run. Without the database nobody knows what is needed.
    if (!isDatabaseDown(error) || isDiskFull(error))
      await tidyUp({ database, files }, client).catch(() => undefined)
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Removes what an attempt has made that came to no end; while it has the lock of the maintenance. */
async function tidyUp(
  { database, files }: Pick<RestoreDependencies, 'database' | 'files'>,
  client: pg.Client,
): Promise<void> {
  await dropScratches(client)
  await forgetCopied({ database, files })
}

/** @throws BackupError when the disk cannot hold the rows a second time, as far as that is known */
async function expectRoom(databaseDisk: DatabaseDisk, client: pg.Client, scratch: string): Promise<void> {
  const free = await databaseDisk.freeBytes()
  const { rows: found } = await client.query<{ size: string }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0) as size from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    [client.escapeIdentifier(scratch)],
  )
  if (free !== undefined && free < Number(found[0]?.size) + reserveBytes)
    throw new BackupError('O disco não comporta a restauração: libere espaço e tente de novo')
}

async function isApplied({ pool }: Database, { runId, data }: RestoreAttempt): Promise<boolean> {
  if (data.kind === 'preview') return false
  const { rowCount } = await pool.query('select from maintenance_runs where id = $1 and plan is not null', [
    runId,
  ])
  return rowCount === 1
}

async function listStoredFiles(archive: Archive): Promise<Map<string, FileLine>> {
  const stored = new Map<string, FileLine>()
  for await (const line of readFileLines(archive)) if (line.member !== null) stored.set(line.name, line)
  return stored
}

class OnlyPlanned extends Error {}

/** Builds the maps, reads them, and rolls everything back. */
async function plan(
  { database, secrets }: Pick<RestoreDependencies, 'database' | 'secrets'>,
  staging: Staging,
): Promise<{ plan: RestoreCounts; files: FileLine[] }> {
  let found: { plan: RestoreCounts; files: FileLine[] } | undefined
  await inTransaction(database, async (db) => {
    const { merge, keys } = await beginMerge(db, secrets, staging)
    found = await readPlan(db, staging, merge, keys)
    throw new OnlyPlanned()
  }).catch((error: unknown) => {
    if (!(error instanceof OnlyPlanned)) throw error
  })
  if (!found) throw new Error('no plan')
  return found
}

async function keepPlan(db: Db, runId: string, found: RestoreCounts): Promise<void> {
  await db.update(maintenanceRuns).set({ plan: found }).where(eq(maintenanceRuns.id, runId))
}

const mostTries = 4

/** Merges the rows, in one transaction. Nothing is sent meanwhile. */
async function apply(
  { database, secrets }: Pick<RestoreDependencies, 'database' | 'secrets'>,
  {
    runId,
    name,
    backupId,
    actor,
    ...staging
  }: Staging & {
    runId: string
    name: string
    backupId: number
    actor: RestoreAttempt['data']['actor']
  },
  progress: Progress,
): Promise<void> {
  await progress.begin('apply')
  const pause = () =>
    database.execute(
      sql`update installation set sends_paused_until = now() + ${pauseMs} * interval '1 millisecond'`,
    )
  await pause()
  const renewing = setInterval(() => void pause().catch(() => undefined), renewMs)
  try {
    for (let attempt = 1; ; attempt++)
      try {
        await inTransaction(database, async (db) => {
          const { merge, keys } = await beginMerge(db, secrets, staging)
          const { plan: found } = await readPlan(db, staging, merge, keys)
          const added = await mergeRows(db, merge, keys)
          await keepPlan(db, runId, found)
          await record(db, actor, {
            action: 'maintenance.restore_end',
            resourceId: backupId,
            details: { name, added },
          })
          if (staging.choice.restoreSettings) db.emit({ type: 'settings_changed' })
          await failpoint('restore.merged')
        })
        break
      } catch (error) {
        // Somebody took a number or an id meanwhile: the maps are built anew.
        if (attempt === mostTries || pgCode(error) !== '23505') throw error
      }
    await failpoint('restore.applied')
  } finally {
    clearInterval(renewing)
    await database.execute(sql`update installation set sends_paused_until = null`).catch(() => undefined)
    database.signals.send('outbox')
  }
}
