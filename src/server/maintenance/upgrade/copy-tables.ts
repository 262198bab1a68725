import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type Archive, checkArchive, placeAt } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { ManifestOf } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { compareTables } from '#server/maintenance/archive/stage.ts'
import { writeArchive } from '#server/maintenance/archive/write.ts'
import { readSequences, tablesFor, tablesThere } from '#server/maintenance/copy/whole-tables.ts'
import type { Config } from '#server/platform/config.ts'
import { tagOf } from '#server/platform/database/migrate.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { freeBytes, reserveBytes } from '#server/platform/file-store/disk-room.ts'
import { copiesFolder, finishCopy, nameOf, removeUnfinished, unfinishedPath } from './copies.ts'

export interface CopyParts {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  cipher: BackupCipher | undefined
  /** As `openClient` opens it. */
  client: pg.Client
  /** What is left free on the disk, in bytes. */
  reserve?: number | undefined
}

export type UpgradeCopy = Archive<ManifestOf<'upgrade'>> & { path: string }

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
  await removeUnfinished(config)
  await expectRoom(config, client, reserve)
  const path = join(copiesFolder(config), nameOf(own.now, tagOf(version)))
  const madeIn = unfinishedPath(path)
  await mkdir(madeIn, { recursive: true, mode: 0o700 })
  const place = placeAt(madeIn, cipher)
  const watched = whileThereIsRoom(place.store, progress)
  try {
    const { archive } = await writeArchive<'upgrade'>(
      client,
      place,
      {
        kind: 'upgrade',
        version,
        tables: () => tablesFor(client, 'upgrade'),
        own: async () => ({ kind: 'upgrade', sequences: await readSequences(client) }),
      },
      watched,
    )
    await failpoint('upgrade.written')
    await checkArchive(archive, watched)
    await compareTables(client, archive, { progress: watched, upTo: version })
    await finishCopy(config, path)
    return { ...archive, ...placeAt(path, archive.cipher), path }
  } catch (error) {
    await rm(madeIn, { recursive: true, force: true })
    throw error
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
