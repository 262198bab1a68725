import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { type DatabaseDisk, reserveBytes } from '#server/platform/file-store/disk-room.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { openBackup, proveFile, writeManifest } from '#server/maintenance/archive/file.ts'
import { formatVersion, type Manifest } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { dropScratch, dropScratches, openClient } from '#server/maintenance/archive/scratch.ts'
import { stageTables } from '#server/maintenance/archive/stage.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import type { BackupProof } from '#server/schema/maintenance.ts'
import { removeLeftovers } from './backups.ts'
import { copyFiles, type Earlier } from './copy-files.ts'
import { exportTables } from './export-tables.ts'

/** What making a backup uses. */
export interface BackupDependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
  databaseDisk: DatabaseDisk
}

export interface Made {
  /** Of the file, in bytes. */
  size: number
  conversations: number
  messages: number
  files: number
  proof: Omit<BackupProof, 'at'>
}

/**
 * Makes a backup of one moment in a new folder of the store, and proves it: reads every byte back, restores
 * the tables into a scratch schema and compares them with their source.
 * @param madeAt ISO 8601
 * @throws BackupError, or what the disk or the database threw; then the folder is the caller's to remove
 */
export async function makeBackup(
  { database, files, store, cipher, databaseDisk }: BackupDependencies,
  {
    folder,
    runId,
    madeAt,
    earlier,
  }: { folder: string; runId: string; madeAt: string; earlier: Earlier | undefined },
  progress: Progress,
): Promise<Made> {
  const client = await openClient(database)
  try {
    await dropScratches(client)
    await removeLeftovers(database, store)
    const exported = await exportTables(client, { store, folder, cipher }, progress)
    await failpoint('backup.tables')
    const copied = await copyFiles({ files, store, cipher }, folder, exported.files, earlier, progress)
    const manifest: Manifest = {
      product: 'balcao',
      format: formatVersion,
      madeAt,
      installation: exported.installation,
      schema: schemaVersion,
      isEncrypted: cipher !== undefined,
      protocolSequence: exported.protocolSequence,
      tables: exported.tables,
      files: copied.files,
    }
    await failpoint('backup.files')
    await writeManifest({ store, cipher }, folder, manifest)
    const size = await proveFile({ store, cipher }, folder, manifest, progress)
    const rows = await compare({ database, store, cipher, databaseDisk }, client, { folder, runId }, progress)
    await failpoint('backup.proven')
    await progress.begin('close')
    return {
      size,
      ...exported.counts,
      files: copied.files.rows,
      proof: {
        tables: manifest.tables.length,
        rows,
        files: copied.files.rows,
        bytes: copied.files.bytes,
        reusedFiles: copied.reused,
        missingFiles: copied.files.missing,
        damagedFiles: copied.files.damaged,
      },
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Restores what is stored into a scratch schema, and compares it with its source. @returns its rows */
async function compare(
  { database, store, cipher, databaseDisk }: Omit<BackupDependencies, 'files'>,
  client: Awaited<ReturnType<typeof openClient>>,
  { folder, runId }: { folder: string; runId: string },
  progress: Progress,
): Promise<number> {
  // As a restore will read it, not as it is remembered.
  const manifest = await openBackup({ store, cipher }, folder)
  await expectRoom(database, databaseDisk)
  const { name } = await stageTables(
    client,
    { store, cipher },
    { folder, runId, manifest, step: 'compare' },
    whileThereIsRoom(databaseDisk, progress),
  )
  await dropScratch(client, name)
  return manifest.tables.reduce((sum, table) => sum + table.rows, 0)
}

/** @throws BackupError when the disk cannot hold the tables a second time, as far as that is known */
async function expectRoom({ pool }: Database, disk: DatabaseDisk): Promise<void> {
  const free = await disk.freeBytes()
  if (free === undefined) return
  const { rows } = await pool.query<{ size: string }>('select pg_database_size(current_database()) as size')
  if (free < Number(rows[0]?.size) + reserveBytes)
    throw new BackupError('O disco não comporta a conferência do backup: libere espaço e tente de novo')
}
