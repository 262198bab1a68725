import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { record } from '#server/audit/audit.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { checkFile, openContents, writeManifest } from '#server/maintenance/archive/file.ts'
import type { TableEntry } from '#server/maintenance/archive/manifest.ts'
import { linesQuery } from '#server/maintenance/archive/rows.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { createScratch, dropScratch, dropScratches, openClient } from '#server/maintenance/archive/scratch.ts'
import { readLines } from '#server/maintenance/archive/stage.ts'
import { type BackupStore, createSoleStore } from '#server/maintenance/archive/store.ts'
import { copyFiles } from '#server/maintenance/backup/copy-files.ts'
import { exportTable, type FileToCopy } from '#server/maintenance/backup/export-tables.ts'
import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { copyFormat, type CopyManifest, readCopyManifest } from './copy-manifest.ts'
import { listFiles } from './files.ts'
import { copyKey, readCopiedKey, type SecretKey } from './secret-key.ts'
import { readSequences, type Sequence, wholeTables } from './whole-tables.ts'

/** What a copy of the installation uses. */
export interface CopyDependencies {
  database: Database
  files: FileStore
  cipher: BackupCipher | undefined
  key: SecretKey
}

/** A folder that has one copy needs no name for it. */
const here = ''

/**
 * Copies the whole installation as it is at one moment into a folder that is empty or not there: all rows of
 * all tables, all files and the secret key. Reads everything back, loads the rows into a scratch schema and
 * compares them with their source.
 * @throws BackupError, or what the disk or the database threw; then nothing is left in the folder
 */
export async function copyInstallation(
  { database, files, cipher, key }: CopyDependencies,
  dir: string,
  progress: Progress,
): Promise<CopyManifest> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if ((await readdir(dir)).length > 0) throw new BackupError(`A pasta ${dir} não está vazia`)
  const place = { store: createSoleStore(dir), cipher }
  try {
    const client = await openClient(database)
    try {
      await dropScratches(client)
      const manifest = await writeCopy({ files, key }, place, client, progress)
      await proveCopy(place, client, progress)
      await record(database, 'command', { action: 'maintenance.copy', details: {} })
      return manifest
    } finally {
      await client.end().catch(() => undefined)
    }
  } catch (error) {
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true, force: true })
    throw error
  }
}

/** A folder with one copy, and the key of what is in it. */
export interface Place {
  store: BackupStore
  cipher: BackupCipher | undefined
}

async function writeCopy(
  { files, key }: Pick<CopyDependencies, 'files' | 'key'>,
  place: Place,
  client: pg.Client,
  progress: Progress,
): Promise<CopyManifest> {
  const { store, cipher } = place
  const { wanted, ...read } = await readDatabase(place, files, client, progress)
  const copied = await copyFiles({ files, store, cipher }, here, wanted, undefined, progress)
  await failpoint('copy.files')
  const manifest: CopyManifest = {
    product: 'balcao',
    kind: 'copy',
    format: copyFormat,
    ...read,
    schema: schemaVersion,
    isEncrypted: cipher !== undefined,
    ...(await copyKey(place, key)),
    files: copied.files,
  }
  await writeManifest(place, here, manifest)
  return manifest
}

interface Exported extends Pick<CopyManifest, 'installation' | 'isDemo' | 'madeAt'> {
  tables: TableEntry[]
  sequences: Sequence[]
  wanted: FileToCopy[]
}

/** Writes the tables as they are at one moment. */
async function readDatabase(
  place: Place,
  files: FileStore,
  client: pg.Client,
  progress: Progress,
): Promise<Exported> {
  await client.query('begin isolation level repeatable read read only')
  try {
    const { rows } = await client.query<{ uid: string; isDemo: boolean; now: Date }>(
      'select uid, is_demo as "isDemo", app_now() as now from installation',
    )
    const [own] = rows
    if (!own) throw new Error('no installation')
    await progress.begin('tables')
    const tables: TableEntry[] = []
    for (const table of wholeTables('copy')) {
      const exported = { ...table, query: linesQuery(client, table) }
      tables.push(await exportTable(client, exported, { ...place, folder: here }, progress, undefined))
    }
    return {
      installation: own.uid,
      isDemo: own.isDemo,
      madeAt: own.now.toISOString(),
      tables,
      sequences: await readSequences(client),
      wanted: await listFiles(client, files),
    }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

/** Reads a copy as `attach` will, and compares it with its manifest. @throws BackupError when it differs */
async function proveCopy(place: Place, client: pg.Client, progress: Progress): Promise<void> {
  const manifest = await openContents(place, here, readCopyManifest)
  await checkFile(place, here, manifest, progress)
  await readCopiedKey(place, manifest)
  await compareTables(place, client, manifest, progress)
}

/**
 * Loads the tables of a copy into a scratch schema.
 * @param manifest of a copy of the version that the database has
 * @throws BackupError when they differ from the manifest
 */
export async function compareTables(
  place: Place,
  client: pg.Client,
  { schema, tables }: Pick<CopyManifest, 'schema' | 'tables'>,
  progress: Progress,
): Promise<void> {
  await progress.begin('compare')
  const scratch = await createScratch(client, randomUUID(), schema, schema)
  try {
    for (const table of tables) {
      await scratch.load(table, readLines(place, here, table), (count) => progress.add(count))
      const found = await scratch.measure(table)
      if (found.rows !== table.rows || found.hash !== table.hash)
        throw new BackupError(`A conferência achou diferenças na tabela ${table.name}`)
    }
    await scratch.complete()
  } finally {
    await dropScratch(client, scratch.name).catch(() => undefined)
  }
}
