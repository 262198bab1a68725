import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { checkFile, openContents, writeManifest } from '#server/maintenance/archive/file.ts'
import type { TableEntry } from '#server/maintenance/archive/manifest.ts'
import { linesQuery } from '#server/maintenance/archive/rows.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { dropScratches } from '#server/maintenance/archive/scratch.ts'
import { createSoleStore } from '#server/maintenance/archive/store.ts'
import { exportTable } from '#server/maintenance/backup/export-tables.ts'
import { copyFormat } from '#server/maintenance/copy/copy-manifest.ts'
import { compareTables, type Place } from '#server/maintenance/copy/copy.ts'
import { isTaken, readSequences, tablesThere } from '#server/maintenance/copy/whole-tables.ts'
import type { Config } from '#server/platform/config.ts'
import { tagOf } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { freeBytes, reserveBytes } from '#server/platform/file-store/disk-room.ts'
import { copiesFolder, finishCopy, nameOf, removeUnfinished, unfinishedPath } from './copies.ts'
import { noFiles, readUpgradeManifest, type UpgradeManifest } from './upgrade-manifest.ts'

export interface CopyParts {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  cipher: BackupCipher | undefined
  /** As `openClient` opens it. */
  client: pg.Client
  /** What is left free on the disk, in bytes. */
  reserve?: number | undefined
}

export interface UpgradeCopy {
  path: string
  manifest: UpgradeManifest
}

/**
 * Copies all rows into a folder of the data folder, whatever version of the product they are of, reads them
 * back, loads them into a scratch schema and compares them. Files stay where they are: no upgrade changes
 * any.
 * @param version of the database
 * @returns undefined when nothing was ever written
 * @throws BackupError, or what the disk or the database threw; then nothing is left of it
 */
export async function copyTables(
  { config, cipher, client, reserve = reserveBytes }: CopyParts,
  version: number,
  progress: Progress,
): Promise<UpgradeCopy | undefined> {
  const { rows } = await client.query<{ now: Date }>('select app_now() as now from installation')
  const [own] = rows
  if (!own) return undefined
  await dropScratches(client)
  await removeUnfinished(config)
  await expectRoom(config, client, reserve)
  const path = join(copiesFolder(config), nameOf(own.now, tagOf(version)))
  const madeIn = unfinishedPath(path)
  await mkdir(madeIn, { recursive: true, mode: 0o700 })
  const place = { store: createSoleStore(madeIn), cipher }
  const watched = whileThereIsRoom(place.store, progress)
  try {
    await writeManifest(place, '', await writeTables(place, client, version, watched))
    await failpoint('upgrade.written')
    const manifest = await openContents(place, '', readUpgradeManifest)
    await checkFile(place, '', manifest, watched)
    await compareTables(place, client, manifest, watched)
    await finishCopy(config, path)
    return { path, manifest }
  } catch (error) {
    await rm(madeIn, { recursive: true, force: true })
    throw error
  }
}

async function writeTables(
  place: Place,
  client: pg.Client,
  version: number,
  progress: Progress,
): Promise<UpgradeManifest> {
  await client.query('begin isolation level repeatable read read only')
  try {
    // Before version 0032 installations had no name.
    const { rows } = await client.query<{ uid: string | null; now: Date }>(
      `select to_jsonb(i) ->> 'uid' as uid, app_now() as now from installation i`,
    )
    const [own] = rows
    if (!own) throw new Error('no installation')
    await progress.begin('tables')
    const tables: TableEntry[] = []
    for (const table of await tablesThere(client)) {
      if (!isTaken(table.name, 'upgrade')) continue
      const exported = { ...table, query: linesQuery(client, table) }
      tables.push(await exportTable(client, exported, { ...place, folder: '' }, progress, undefined))
    }
    return {
      product: 'balcao',
      kind: 'upgrade',
      format: copyFormat,
      madeAt: own.now.toISOString(),
      installation: own.uid,
      schema: version,
      isEncrypted: place.cipher !== undefined,
      sequences: await readSequences(client),
      tables,
      files: noFiles,
    }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

/**
 * What the copy needs of the disk, in parts of what the tables take in the database without indexes: the copy
 * is compressed, and with the embedded database the tables are there a second time while they are compared.
 */
const partOfCopy = 0.5
const partOfScratch = 1

/** @throws BackupError when the disk of the data folder cannot hold the copy */
async function expectRoom(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  client: pg.ClientBase,
  reserve: number,
): Promise<void> {
  const tables = await tablesThere(client)
  const { rows } = await client.query<{ size: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0) as size from pg_class
      where relnamespace = 'public'::regnamespace and relname = any($1)`,
    [tables.map(({ name }) => name)],
  )
  const parts = partOfCopy + (config.databaseUrl === undefined ? partOfScratch : 0)
  const needed = Number(rows[0]?.size) * parts + reserve
  const free = await freeBytes(copiesFolder(config))
  if (free < needed)
    throw new BackupError(
      `Em ${config.dataDir} há ${gigabytes(free)} livres, e a cópia precisa de até ${gigabytes(needed)}`,
    )
}

const oneDecimal = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const gigabytes = (bytes: number) => `${oneDecimal.format(bytes / 1024 ** 3)} GB`
