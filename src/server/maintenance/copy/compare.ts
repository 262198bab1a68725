import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { checkFile, openBackup } from '#server/maintenance/archive/file.ts'
import { readFileLines } from '#server/maintenance/archive/file-list.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { dropScratch, dropScratches, measureRows, openClient } from '#server/maintenance/archive/scratch.ts'
import { stageTables } from '#server/maintenance/archive/stage.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { type BackedTable, backedList } from '#server/maintenance/archive/tables.ts'
import { findBackup } from '#server/maintenance/backup/backups.ts'
import { rowsOf } from '#server/maintenance/backup/export-tables.ts'
import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { orDamaged } from './damage.ts'
import { hashFile } from './files.ts'
import type { Measured } from './load.ts'

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
  const client = await openClient(database)
  try {
    return await orDamaged('O backup está danificado', async () => {
      const manifest = await openBackup({ store, cipher }, row.filePath)
      const place = { store, cipher: manifest.isEncrypted ? cipher : undefined }
      await checkFile(place, row.filePath, manifest, progress)
      const tables = await compareTables(place, client, { folder: row.filePath, manifest }, progress)
      const compared = await compareFiles({ files, ...place }, { folder: row.filePath, manifest }, progress)
      return { name: row.name, tables, files: compared }
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Opened {
  folder: string
  manifest: Manifest
}

async function compareTables(
  place: Pick<CompareDependencies, 'store' | 'cipher'>,
  client: pg.Client,
  opened: Opened,
  progress: Progress,
): Promise<ComparedTable[]> {
  const isSame = opened.manifest.schema === schemaVersion
  const there = isSame ? measuredBy(opened.manifest) : await measureStaged(place, client, opened, progress)
  await progress.begin('compare')
  await client.query('begin isolation level repeatable read read only')
  try {
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
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

type Wanted = ReadonlyMap<string, Measured & Pick<BackedTable, 'columns'>>

const measuredBy = ({ tables }: Manifest): Wanted => new Map(tables.map((table) => [table.name, table]))

/** What the tables of an earlier version are once they are up to date. */
async function measureStaged(
  { store, cipher }: Pick<CompareDependencies, 'store' | 'cipher'>,
  client: pg.Client,
  opened: Opened,
  progress: Progress,
): Promise<Wanted> {
  await dropScratches(client)
  const step = { ...opened, runId: randomUUID(), step: 'compare' } as const
  const scratch = await stageTables(client, { store, cipher }, step, progress)
  try {
    const measured = new Map<string, Measured & Pick<BackedTable, 'columns'>>()
    const known = new Set(opened.manifest.tables.map(({ name }) => name))
    for (const { name, columns } of backedList)
      if (known.has(name)) measured.set(name, { columns, ...(await scratch.measure({ name, columns })) })
    return measured
  } finally {
    await dropScratch(client, scratch.name)
  }
}

async function compareFiles(
  { files, store, cipher }: Omit<CompareDependencies, 'database'>,
  { folder, manifest }: Opened,
  progress: Progress,
): Promise<Comparison['files']> {
  await progress.begin('files', manifest.files.bytes)
  const found = { equal: 0, missing: 0, different: 0 }
  for await (const { name, member, sha256, size } of readFileLines({ store, cipher }, folder, manifest)) {
    if (member === null) continue
    const here = await hashFile(files, name)
    found[here === undefined ? 'missing' : here.sha256 === sha256 ? 'equal' : 'different'] += 1
    await progress.add(size)
  }
  return found
}
