import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { record } from '#server/audit/audit.ts'
import {
  type Archive,
  checkArchive,
  countRows,
  openArchive,
  placeAt,
  readFileLines,
  type Trust,
} from '#server/maintenance/archive/archive.ts'
import { BackupError, orDamaged } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import {
  type CopyManifest,
  type FileLine,
  refuseUnknownVersion,
} from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, migrateDatabase, type Db } from '#server/platform/database/db.ts'
import { lockMigrations, readSchemaState } from '#server/platform/database/migrate.ts'
import { makeDataFolder } from '#server/platform/data-folder.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { uploadsFolder } from '#server/platform/file-store/places.ts'
import { unfinishedAttach } from '#server/platform/unfinished-attach.ts'
import { installation } from '#server/schema/installation.ts'
import { markSendsUnknown } from './mark-sends-unknown.ts'
import { putFiles } from './files.ts'
import { loadInstallation, refuseUsedDatabase, sourceOf } from './load.ts'
import { keyName, printOf, readCopiedKey, readStoredKey, writeKey } from './secret-key.ts'

/** A copy that was found fit, and the place for it. */
export interface Attachable extends Archive<CopyManifest> {
  /** The key to put into the data folder. */
  key: string | undefined
  /** The copy is of an installation with another key, or one that is not here: what it encrypted is lost. */
  isKeyMissing: boolean
}

/** In the note: the copy is still read, and nothing of it is here. */
const reading = 'reading\n'

/** What the note says; undefined: there is none. */
const readNote = async (dataDir: string): Promise<string | undefined> =>
  existsSync(unfinishedAttach(dataDir)) ? readFile(unfinishedAttach(dataDir), 'utf8') : undefined

/** Lets the folder be started from again, unless something of a copy is in it. */
export async function forgetReading({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  if ((await readNote(dataDir)) === reading) await rm(unfinishedAttach(dataDir))
}

/**
 * Examines a copy to its last byte, and the place for it. All that it writes is a note in the data folder: a
 * start from it, while the copy is read or after this program has died, would make another installation.
 * @throws BackupError unless the copy is whole, fits this program, and nothing is in the place; then the note
 *   is gone
 */
export async function examineCopy(
  { config, cipher, ...trust }: { config: Config; cipher: BackupCipher | undefined } & Trust,
  dir: string,
  progress: Progress,
): Promise<Attachable> {
  if (!existsSync(join(dir, 'manifest.json'))) throw new BackupError(`Não há uma cópia completa em ${dir}`)
  const archive = await openArchive(placeAt(dir, cipher), 'copy', trust)
  const { manifest } = archive
  refuseUnfit(manifest, config)
  const damaged = 'A cópia está danificada'
  const key = await orDamaged(damaged, () => readCopiedKey(archive))
  const before = await readNote(config.dataDir)
  if (before === undefined || before === reading) {
    await refuseUsedFolder(config.dataDir, manifest)
    makeDataFolder(config.dataDir)
    await writeFile(unfinishedAttach(config.dataDir), reading, { flush: true, mode: 0o600 })
  }
  try {
    await orDamaged(damaged, () => checkArchive(archive, progress))
  } catch (error) {
    await forgetReading(config)
    throw error
  }
  const own = config.secretKey ?? key ?? (await readStoredKey(config))
  return {
    ...archive,
    key: config.secretKey === undefined ? key : undefined,
    isKeyMissing: manifest.keyPrint !== null && (own === undefined || printOf(own) !== manifest.keyPrint),
  }
}

/** @throws BackupError when this program does not know its version, or it does not fit the configuration */
function refuseUnfit(manifest: CopyManifest, config: Config): void {
  refuseUnknownVersion(manifest)
  const { isDemo, keyPrint } = manifest
  if (isDemo !== config.isDemo)
    throw new BackupError(
      isDemo
        ? 'A cópia é de uma demonstração: use --demo'
        : 'A cópia é de uma instalação de uso real: use o comando sem --demo',
    )
  const { secretKey } = config
  if (secretKey !== undefined && keyPrint !== null && printOf(secretKey) !== keyPrint)
    throw new BackupError('SECRET_KEY não é a chave da instalação que foi copiada')
}

/** @throws BackupError when an installation has left something in the folder that this one would take over */
async function refuseUsedFolder(dataDir: string, { keyPrint }: CopyManifest): Promise<void> {
  const stored = await readStoredKey({ dataDir })
  const isUsed =
    (stored !== undefined && printOf(stored) !== keyPrint) ||
    (await hasFiles(uploadsFolder(dataDir), ['cache'])) ||
    (await hasFiles(join(dataDir, 'backups')))
  if (isUsed) throw new BackupError(`Em ${dataDir} já há arquivos de uma instalação: use uma pasta vazia`)
}

async function hasFiles(folder: string, without: readonly string[] = []): Promise<boolean> {
  if (!existsSync(folder)) return false
  return (await readdir(folder)).some((name) => !without.includes(name))
}

/** What an attached copy has become. */
export interface Attached {
  tables: number
  rows: number
  files: number
}

/**
 * Makes an installation of a copy, in a place where there is none: files and key first, then all rows in one
 * transaction. Until that is over, a note in the data folder keeps every start from it.
 * @throws BackupError, or what the disk or the database threw; then nothing is left, unless this program died
 */
export async function attachCopy(
  { config, database }: { config: Config; database: Database },
  copy: Attachable,
  progress: Progress,
): Promise<Attached> {
  const { dataDir } = config
  const note = unfinishedAttach(dataDir)
  const text = `${copy.manifest.installation} ${copy.manifest.madeAt}\n`
  const before = await readNote(dataDir)
  if (before !== undefined && before !== reading) {
    const { isEmpty } = await readSchemaState(database.pool)
    if (!isEmpty) return await endEarlier(database, { note, text }, copy)
    // That attempt has died. What it has put here is in a folder that was empty.
    await tidy(uploadsFolder(dataDir), join(dataDir, keyName))
  }
  try {
    await refuseUsedDatabase(database.pool)
  } catch (error) {
    await forgetReading(config)
    throw error
  }
  await writeFile(note, text, { flush: true, mode: 0o600 })
  const put: string[] = []
  const files = await createFileStore(config)
  const isKeyNew = copy.key !== undefined && (await readStoredKey(config)) === undefined
  try {
    const lines: FileLine[] = []
    for await (const line of readFileLines(copy)) lines.push(line)
    await putFiles(files, copy, lines, { progress, onPut: (name) => put.push(name) })
    await failpoint('copy.put')
    if (copy.key !== undefined && isKeyNew) await writeKey(copy.key, dataDir)
    await load({ config, database }, copy, progress)
  } catch (error) {
    // A commit may have come through although its answer did not. Without an answer now, the note stays.
    if ((await readSchemaState(database.pool).catch(() => undefined))?.isEmpty !== true) throw error
    for (const name of put) await files.remove(name)
    await tidy(uploadsFolder(dataDir), ...(isKeyNew ? [join(dataDir, keyName)] : []))
    await rm(note)
    throw error
  }
  await failpoint('copy.attached')
  return end(database, note, copy)
}

/** The transaction of an earlier attempt had ended when its program died. */
async function endEarlier(
  database: Database,
  { note, text }: { note: string; text: string },
  copy: Attachable,
): Promise<Attached> {
  const isOther = (await readFile(note, 'utf8')) !== text
  const attached = await end(database, note, copy)
  if (isOther) throw new BackupError('Já chegou inteira, antes desta, outra cópia: a instalação está pronta')
  return attached
}

async function end(database: Database, note: string, { manifest }: Attachable): Promise<Attached> {
  await rm(note)
  // What the next start would do.
  await migrateDatabase(database)
  const { tables, files } = manifest
  return { tables: tables.length, rows: countRows(manifest), files: files.rows - files.missing }
}

async function load(
  { config, database }: { config: Config; database: Database },
  copy: Attachable,
  progress: Progress,
): Promise<void> {
  const { madeAt, sequences, isEncrypted } = copy.manifest
  const isUnsigned = config.backupKey !== undefined && !isEncrypted
  await withClient(database, async (client) => {
    await lockMigrations(client)
    await progress.begin('stage')
    const finish = async (db: Db) => {
      await markSendsUnknown(db)
      // Its files were put where this environment says.
      await db.update(installation).set({ filePlace: null })
      await record(db, 'command', {
        action: 'maintenance.attach',
        details: { madeAt, ...(isUnsigned && { acceptUnsigned: true }) },
      })
    }
    await loadInstallation(
      client,
      sourceOf(copy, () => sequences),
      { progress, finish },
    )
  })
}

async function tidy(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}
