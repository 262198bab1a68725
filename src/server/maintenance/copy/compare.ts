import type pg from 'pg'
import {
  type Archive,
  checkArchive,
  openArchive,
  readFileLines,
} from '#server/maintenance/archive/archive.ts'
import { BackupError, orDamaged } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { hashFile } from '#server/maintenance/archive/copy-files.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { dropScratch, measureRows, withClient } from '#server/maintenance/archive/scratch.ts'
import { type Measured, stageTables } from '#server/maintenance/archive/stage.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { type BackedTable, backedList } from '#server/maintenance/archive/tables.ts'
import { inSnapshot } from '#server/maintenance/archive/write.ts'
import { findBackup } from '#server/maintenance/backup/backups.ts'
import { rowsOf } from '#server/maintenance/backup/make.ts'
import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import type { FileStore } from '#server/platform/file-store.ts'

/** What a comparison uses. */
export interface CompareDependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
}

/** A table here and in the backup. */
export interface ComparedTable {
  name: string
  here: number
  /** undefined: the backup is of a version that did not have it. */
  there: number | undefined
  isEqual: boolean
}

export interface Comparison {
  name: string
  tables: ComparedTable[]
  /** The files of the backup. Those that were gone already when it was made are not counted. */
  files: { equal: number; missing: number; different: number }
}

/**
 * Compares what is here now, as a backup of this moment would have it, with a backup: each table by number
 * and hash of its rows, each file by its SHA-256. The backup itself is read to its last byte before.
 * @throws BackupError when there is no such backup, or it is damaged
 */
export async function compareBackup(
  { database, files, store, cipher }: CompareDependencies,
  id: number,
  progress: Progress,
): Promise<Comparison> {
  const row = await findBackup(database, id)
  if (!row) throw new BackupError(`Não existe o backup ${id}`)
  if (row.status !== 'completed') throw new BackupError(`O backup ${id} não está concluído`)
  return withClient(database, (client) =>
    orDamaged('O backup está danificado', async () => {
      const archive = await openArchive(
        { store, cipher, folder: row.filePath },
        'backup',
        // Nothing of it is brought in.
        { acceptUnsigned: true },
      )
      await checkArchive(archive, progress)
      const tables = await compareTables(client, archive, progress)
      return { name: row.name, tables, files: await compareFiles(files, archive, progress) }
    }),
  )
}

async function compareTables(
  client: pg.Client,
  archive: Archive<Manifest>,
  progress: Progress,
): Promise<ComparedTable[]> {
  const isSame = archive.manifest.schema === schemaVersion
  const there = isSame ? measuredBy(archive.manifest) : await measureStaged(client, archive, progress)
  await progress.begin('compare')
  return inSnapshot(client, async () => {
    const compared: ComparedTable[] = []
    for (const table of backedList) {
      const wanted = there.get(table.name)
      const found = await measureRows(client, rowsOf({ ...table, columns: wanted?.columns ?? table.columns }))
      await progress.add(found.rows)
      compared.push({
        name: table.name,
        here: found.rows,
        there: wanted?.rows,
        isEqual: found.rows === (wanted?.rows ?? 0) && found.hash === (wanted?.hash ?? '0'),
      })
    }
    return compared
  })
}

type Wanted = ReadonlyMap<string, Measured & Pick<BackedTable, 'columns'>>

const measuredBy = ({ tables }: Manifest): Wanted => new Map(tables.map((table) => [table.name, table]))

/** What the tables of an earlier version are once they are up to date. */
async function measureStaged(
  client: pg.Client,
  archive: Archive<Manifest>,
  progress: Progress,
): Promise<Wanted> {
  const scratch = await stageTables(client, archive, { progress, step: 'compare' })
  try {
    const measured = new Map<string, Measured & Pick<BackedTable, 'columns'>>()
    const known = new Set(archive.manifest.tables.map(({ name }) => name))
    for (const { name, columns } of backedList)
      if (known.has(name)) measured.set(name, { columns, ...(await scratch.measure({ name, columns })) })
    return measured
  } finally {
    await dropScratch(client, scratch.name)
  }
}

async function compareFiles(
  files: FileStore,
  archive: Archive<Manifest>,
  progress: Progress,
): Promise<Comparison['files']> {
  await progress.begin('files', archive.manifest.files.bytes)
  const found = { equal: 0, missing: 0, different: 0 }
  for await (const { name, member, sha256, size } of readFileLines(archive)) {
    if (member === null) continue
    const here = await hashFile(files, name)
    found[here === undefined ? 'missing' : here.sha256 === sha256 ? 'equal' : 'different'] += 1
    await progress.add(size)
  }
  return found
}
