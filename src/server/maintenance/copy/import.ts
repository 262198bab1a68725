import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { basename } from 'node:path'
import type pg from 'pg'
import { record } from '#server/audit/audit.ts'
import { backupName } from '#shared/maintenance/maintenance.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { proveFile, receiveFile } from '#server/maintenance/archive/file.ts'
import { readFileLines } from '#server/maintenance/archive/file-list.ts'
import type { Manifest } from '#server/maintenance/archive/manifest.ts'
import { type Progress, whileThereIsRoom } from '#server/maintenance/archive/progress.ts'
import { dropScratch, dropScratches, openClient } from '#server/maintenance/archive/scratch.ts'
import { stageTables } from '#server/maintenance/archive/stage.ts'
import { type BackupStore, folderForm, readLayout } from '#server/maintenance/archive/store.ts'
import { tarBytes } from '#server/maintenance/archive/tar.ts'
import { insertBackup, newFolder, removeLeftovers } from '#server/maintenance/backup/backups.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { DatabaseDisk } from '#server/platform/file-store/disk-room.ts'
import { orDamaged } from './damage.ts'

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
 * @param path of the file, or the name of a folder of the store that another database has filled
 * @throws BackupError for anything else than a whole backup; then nothing is left of it
 */
export async function importBackup(
  { database, store, cipher, databaseDisk }: ImportDependencies,
  path: string,
  progress: Progress,
): Promise<Imported> {
  const folder = await newFolder(database)
  const client = await openClient(database)
  try {
    await dropScratches(client)
    await removeLeftovers(database, store)
    const { manifest, ...received } = await orDamaged(damaged, () =>
      receive({ store, cipher, databaseDisk }, client, { path, folder }, progress),
    )
    return await insertImported(database, manifest, { folder, ...received })
  } catch (error) {
    // What a bucket keeps that is away, the next backup removes.
    await store.remove(folder).catch(() => undefined)
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function receive(
  { store, cipher, databaseDisk }: Omit<ImportDependencies, 'database'>,
  client: pg.Client,
  { path, folder }: { path: string; folder: string },
  progress: Progress,
): Promise<{ manifest: Manifest; size: number; name: string }> {
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
  const manifest = await receiveFile({ store, cipher }, folder, bytes())
  const place = { store, cipher: manifest.isEncrypted ? cipher : undefined }
  const size = await proveFile(place, folder, manifest, progress)
  if (size !== received) throw new BackupError('O arquivo tem partes que o manifesto não cita')
  await checkList(place, folder, manifest)
  const step = { folder, runId: randomUUID(), manifest, step: 'compare' } as const
  const { name } = await stageTables(client, place, step, whileThereIsRoom(databaseDisk, progress))
  await dropScratch(client, name)
  return { manifest, size, name: source.name }
}

interface Source {
  /** That of the backup. */
  name: string
  bytes: AsyncIterable<Buffer>
}

async function openSource(store: BackupStore, path: string): Promise<Source> {
  if (!folderForm.test(path) || existsSync(path) || !(await store.has(path)))
    return { name: nameOf(path), bytes: createReadStream(path, { highWaterMark: 1024 * 1024 }) }
  const layout = await readLayout(store, path)
  return {
    name: 'Backup recuperado',
    bytes: tarBytes(layout, (name, range) => store.read(path, name, range)),
  }
}

/**
 * Checks what the next backup relies on that takes files from this one: that each is what the list says. An
 * encrypted list is believed, since the manifest is signed.
 */
async function checkList(
  place: Pick<ImportDependencies, 'store' | 'cipher'>,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const found = { rows: 0, bytes: 0, missing: 0 }
  for await (const line of readFileLines(place, folder, manifest)) {
    found.rows += 1
    if (line.member === null) found.missing += 1
    else found.bytes += line.size
    const isPlain = line.member !== null && !manifest.isEncrypted
    if (isPlain && (line.sha256 !== line.storedSha256 || line.size !== line.storedSize))
      throw new BackupError('A lista de arquivos do backup não confere')
  }
  const { rows, bytes, missing } = manifest.files
  if (found.rows !== rows || found.bytes !== bytes || found.missing !== missing)
    throw new BackupError('A lista de arquivos do backup não confere')
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
  manifest: Manifest,
  { folder, size, name }: { folder: string; size: number; name: string },
): Promise<Imported> {
  const rowsOf = (table: string) => manifest.tables.find((one) => one.name === table)?.rows ?? 0
  const counts = { conversations: rowsOf('conversations'), messages: rowsOf('messages') }
  const { rows: files, bytes, missing, damaged: damagedFiles } = manifest.files
  const madeAt = new Date(manifest.madeAt)
  const id = await inTransaction(database, async (db) => {
    const made = await insertBackup(db, {
      name,
      status: 'completed',
      filePath: folder,
      size,
      conversationsCount: counts.conversations,
      messagesCount: counts.messages,
      mediaFilesCount: files,
      isEncrypted: manifest.isEncrypted,
      isImported: true,
      // Of its age, and not of its way here, depends what it is good for.
      createdAt: madeAt,
      completedAt: madeAt,
      proof: {
        at: (await appNow(db)).toISOString(),
        tables: manifest.tables.length,
        rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
        files,
        bytes,
        reusedFiles: 0,
        missingFiles: missing,
        damagedFiles,
      },
    })
    await record(db, 'command', { action: 'maintenance.import', resourceId: made, details: { name } })
    return made
  })
  return { id, name, ...counts, files }
}
