import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { type Archive, countRows, type Place } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { FileToCopy } from '#server/maintenance/archive/copy-files.ts'
import { proveFile } from '#server/maintenance/archive/file.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import { compareTables } from '#server/maintenance/archive/stage.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { type BackedTable, backedList, backedRows } from '#server/maintenance/archive/tables.ts'
import { type Profile, writeArchive } from '#server/maintenance/archive/write.ts'
import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { type DatabaseDisk, reserveBytes } from '#server/platform/file-store/disk-room.ts'
import type { BackupProof } from '#server/schema/maintenance.ts'
import { type BackupRow, removeLeftovers } from './backups.ts'

/** What making a backup uses. */
export interface BackupDependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
  databaseDisk: DatabaseDisk
}

/** What the row of a backup says of what is in it. */
export type Figures = Pick<
  BackupRow,
  'conversationsCount' | 'messagesCount' | 'mediaFilesCount' | 'isEncrypted'
> & { proof: Omit<BackupProof, 'at'> }

/**
 * Makes a backup of one moment in a new folder of the store, and proves it: reads every byte back, restores
 * the tables into a scratch schema and compares them with their source.
 * @returns also the size of the file, in bytes
 * @throws BackupError, or what the disk or the database threw; then the folder is the caller's to remove
 */
export const makeBackup = (
  { database, files, store, cipher, databaseDisk }: BackupDependencies,
  { folder, earlier }: { folder: string; earlier: Archive<Manifest> | undefined },
  progress: Progress,
): Promise<Figures & { size: number }> =>
  withClient(database, async (client) => {
    await removeLeftovers(database, store)
    const place: Place = { store, folder, cipher }
    const profile = backupProfile(files, earlier)
    const { archive, reused } = await writeArchive(client, place, profile, progress)
    const size = await proveFile(archive, progress)
    await expectRoom(database, databaseDisk)
    await compareTables(client, archive, { progress: whileThereIsRoom(databaseDisk, progress) })
    await failpoint('backup.proven')
    await progress.begin('close')
    return { size, ...figuresOf(archive.manifest, reused) }
  })

/** What a backup has: finished conversations, and what belongs to them, for a merge. */
const backupProfile = (files: FileStore, earlier: Archive<Manifest> | undefined): Profile<'backup'> => ({
  kind: 'backup',
  version: schemaVersion,
  tables: async () => backedList.map((table) => ({ ...table, query: rowsOf(table) })),
  async countRows(client) {
    let count = 0
    for (const table of backedList) count += await countOf(client, table)
    return count
  },
  async own(client) {
    const { rows } = await client.query<{ last: string }>(
      'select last_value as last from conversation_protocol',
    )
    return { protocolSequence: Number(rows[0]?.last) }
  },
  files: { from: files, list: listFiles, earlier },
})

const dialect = new PgDialect()
/** The rules of the tables have no parameters. */
export const rowsOf = (table: BackedTable): string => dialect.sqlToQuery(sql`${backedRows(table)}`).sql

async function countOf(client: pg.ClientBase, table: BackedTable): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from (${rowsOf(table)}) r`)
  return Number(rows[0]?.count)
}

/** The files whose rows are in it. */
async function listFiles(client: pg.ClientBase): Promise<FileToCopy[]> {
  const table = backedList.find(({ name }) => name === 'files')
  if (!table) throw new Error('no table of files')
  const { rows } = await client.query<FileToCopy>(
    `select name, size_bytes::float8 as size, sha256 from (${rowsOf(table)}) r`,
  )
  return rows
}

export function figuresOf(manifest: Manifest, reusedFiles: number): Figures {
  const { tables, files, isEncrypted } = manifest
  const rowsIn = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
  return {
    conversationsCount: rowsIn('conversations'),
    messagesCount: rowsIn('messages'),
    mediaFilesCount: files.rows,
    isEncrypted,
    proof: {
      tables: tables.length,
      rows: countRows(manifest),
      files: files.rows,
      bytes: files.bytes,
      reusedFiles,
      missingFiles: files.missing,
      damagedFiles: files.damaged,
    },
  }
}

/** @throws BackupError when the disk cannot hold the tables a second time, as far as that is known */
async function expectRoom({ pool }: Database, disk: DatabaseDisk): Promise<void> {
  const free = await disk.freeBytes()
  if (free === undefined) return
  const { rows } = await pool.query<{ size: string }>('select pg_database_size(current_database()) as size')
  if (free < Number(rows[0]?.size) + reserveBytes)
    throw new BackupError('O disco não comporta a conferência do backup: libere espaço e tente de novo')
}
