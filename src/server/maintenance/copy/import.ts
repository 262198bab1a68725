import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { record } from '#server/audit/audit.ts'
import { backupName } from '#shared/maintenance/maintenance.ts'
import {
  type Archive,
  listDiffersText,
  readFileLines,
  type Trust,
} from '#server/maintenance/archive/archive.ts'
import { BackupError, orDamaged } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { proveFile, receiveFile } from '#server/maintenance/archive/file.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import { compareTables } from '#server/maintenance/archive/stage.ts'
import { type BackupStore, folderForm, readLayout } from '#server/maintenance/archive/store.ts'
import { tarBytes } from '#server/maintenance/archive/tar.ts'
import { insertBackup, newFolder, removeLeftovers } from '#server/maintenance/backup/backups.ts'
import { figuresOf } from '#server/maintenance/backup/make.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { DatabaseDisk } from '#server/platform/file-store/disk-room.ts'

/** What the import of a backup uses. */
export interface ImportDependencies {
  database: Database
  store: BackupStore
  cipher: BackupCipher | undefined
  databaseDisk: DatabaseDisk
}

/** A backup that was brought in. */
export interface Imported {
  id: number
  name: string
  conversations: number
  messages: number
  files: number
}

const damaged = 'O arquivo não é um backup, ou está danificado'

/**
 * Brings in the file of a backup, and proves it as a new one is proven: every byte is read back, the tables
 * are loaded into a scratch schema and compared with the manifest. Afterwards it is a backup like any other.
 * @param path of the file; where there is none, its last part is the name of a folder of the store that
 *   another database has filled
 * @throws BackupError for anything else than a whole backup; then nothing is left of it
 */
export async function importBackup(
  { database, store, cipher, databaseDisk }: ImportDependencies,
  path: string,
  progress: Progress,
  trust: Trust = {},
): Promise<Imported> {
  const folder = await newFolder(database)
  try {
    return await withClient(database, async (client) => {
      await removeLeftovers(database, store)
      const received = await orDamaged(damaged, () =>
        receive({ store, cipher, databaseDisk }, client, { path, folder, ...trust }, progress),
      )
      return insertImported(database, received, cipher)
    })
  } catch (error) {
    // What a bucket keeps that is away, the next backup removes.
    await store.remove(folder).catch(() => undefined)
    throw error
  }
}

interface Received {
  archive: Archive<Manifest>
  size: number
  name: string
}

async function receive(
  { store, cipher, databaseDisk }: Omit<ImportDependencies, 'database'>,
  client: pg.Client,
  { path, folder, ...trust }: { path: string; folder: string } & Trust,
  progress: Progress,
): Promise<Received> {
  await progress.begin('files')
  const source = await openSource(store, path)
  let received = 0
  const bytes = async function* () {
    for await (const chunk of source.bytes) {
      received += chunk.length
      await progress.add(chunk.length)
      yield chunk
    }
  }
  const archive = await receiveFile({ store, cipher, folder }, bytes(), trust)
  const size = await proveFile(archive, progress)
  if (size !== received) throw new BackupError('O arquivo tem partes que o manifesto não cita')
  await checkList(archive)
  await compareTables(client, archive, { progress: whileThereIsRoom(databaseDisk, progress) })
  return { archive, size, name: source.name }
}

interface Source {
  /** That of the backup. */
  name: string
  bytes: AsyncIterable<Buffer>
}

async function openSource(store: BackupStore, path: string): Promise<Source> {
  const folder = basename(path)
  const fault = await fileFault(path)
  if (fault === undefined)
    return { name: nameOf(path), bytes: createReadStream(path, { highWaterMark: 1024 * 1024 }) }
  // A command makes every word a path: what is no file may be a name.
  if (fault.code !== 'ENOENT' || !folderForm.test(folder) || !(await store.has(folder)))
    throw new BackupError(fault.message)
  const layout = await readLayout(store, folder)
  return {
    name: 'Backup recuperado',
    bytes: tarBytes(layout, (name, range) => store.read(folder, name, range)),
  }
}

/** Why a path is no file that can be read; undefined when it is one. */
async function fileFault(path: string): Promise<{ code: string; message: string } | undefined> {
  try {
    const file = await open(path)
    const isFolder = (await file.stat()).isDirectory()
    await file.close()
    return isFolder
      ? { code: 'EISDIR', message: `${path} é uma pasta, e não o arquivo de um backup` }
      : undefined
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { code: 'ENOENT', message: `Não há o arquivo ${path}, nem um backup com esse nome` }
    return { code, message: `O arquivo ${path} não pode ser lido (${code}): confira as permissões` }
  }
}

/**
 * Checks what the next backup relies on that takes files from this one: that each is what the list says. An
 * encrypted list is believed, since the manifest is signed.
 */
async function checkList(archive: Archive<Manifest>): Promise<void> {
  const { manifest } = archive
  const found = { rows: 0, bytes: 0, missing: 0 }
  for await (const line of readFileLines(archive)) {
    found.rows += 1
    if (line.member === null) found.missing += 1
    else found.bytes += line.size
    const isPlain = line.member !== null && !manifest.isEncrypted
    if (isPlain && (line.sha256 !== line.storedSha256 || line.size !== line.storedSize))
      throw new BackupError(listDiffersText)
  }
  const { rows, bytes, missing } = manifest.files
  if (found.rows !== rows || found.bytes !== bytes || found.missing !== missing)
    throw new BackupError(listDiffersText)
}

/** The name of a file as that of a backup. */
function nameOf(path: string): string {
  const name = basename(path)
    .replace(/\.tar$/i, '')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 100)
    .toWellFormed()
  return backupName.safeParse(name).data ?? 'Backup'
}

async function insertImported(
  database: Database,
  { archive: { folder, manifest }, size, name }: Received,
  cipher: BackupCipher | undefined,
): Promise<Imported> {
  const { proof, ...figures } = figuresOf(manifest, 0)
  const madeAt = new Date(manifest.madeAt)
  const id = await inTransaction(database, async (db) => {
    const made = await insertBackup(db, {
      name,
      status: 'completed',
      filePath: folder,
      size,
      ...figures,
      isImported: true,
      // Of its age, and not of its way here, depends what it is good for.
      createdAt: madeAt,
      completedAt: madeAt,
      proof: { at: (await appNow(db)).toISOString(), ...proof },
    })
    await record(db, 'command', {
      action: 'maintenance.import',
      resourceId: made,
      details: { name, ...(cipher && !manifest.isEncrypted && { acceptUnsigned: true }) },
    })
    return made
  })
  return {
    id,
    name,
    conversations: figures.conversationsCount,
    messages: figures.messagesCount,
    files: figures.mediaFilesCount,
  }
}
