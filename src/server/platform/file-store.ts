import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from './config.ts'
import { type Database, inTransaction } from './database/db.ts'
import { freeBytes, hasRoom, reserveBytes, withinRoom } from './file-store/disk-room.ts'
import { type ByteRange, nameForm, type Spooled } from './file-store/holder.ts'
import { relocate } from './file-store/relocate.ts'
import { describePlace, lockFile, openPlaces, placeOfNew, spoolFolder } from './file-store/places.ts'

export type { ByteRange, Spooled }

/**
 * The store of files, in a folder of this machine or in a bucket. A file exists whole or not at all. Where
 * each one is, only the store knows: they may just be moved from one place to the other.
 */
export interface FileStore {
  /**
   * Receives a stream into a file without a name.
   * @throws FileTooLarge as soon as there are more than `maxBytes`, DiskFull as soon as they would take what
   *   the database needs; then nothing remains
   */
  spool(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled>
  /** Gives the file its name, which then survives a crash. */
  keep(name: string, spooled: Spooled): Promise<void>
  /** @returns undefined when there is no such file */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Missing files are no error. */
  remove(name: string): Promise<void>
  /** Whether files are taken: the disk has more space than is left for the database. */
  hasRoom(): Promise<boolean>
  /** Bytes that new files may still take; undefined in a bucket. */
  freeBytes(): Promise<number | undefined>
  /** Where new files go, as an administrator knows it: the path of a folder, or `s3://BUCKET`. */
  describePlace(): Promise<string>
}

export class FileTooLarge extends Error {}

const headBytes = 64 * 1024
/** Longer than any upload takes: older files were left by a dead program. */
const leftoverAfterMs = 6 * 60 * 60_000

/** A random name that cannot be guessed and is no path on any system. */
export function newFileName(): string {
  return randomBytes(24).toString('base64url')
}

export interface FileStoreOptions {
  /** Of the installation, which knows where files were moved to. Absent: there is none yet. */
  database?: Database
  /** Opened beside the store of this program, which has cleared what dead programs left. */
  isBeside?: true
  /** Bytes that files leave free on the disk. */
  reserve?: number
}

export async function createFileStore(
  config: Config,
  { database, isBeside, reserve = reserveBytes }: FileStoreOptions = {},
): Promise<FileStore> {
  const spoolDir = spoolFolder(config.dataDir)
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  if (!isBeside) await clearLeftovers(spoolDir)
  const places = openPlaces(config)
  const { disk, s3 } = places
  /** A disk through which files only pass may be filled by them, if the database is elsewhere. */
  const leftFree = async () =>
    config.databaseUrl !== undefined && (await placeOfNew(config, database)) === 's3' ? 0 : reserve
  const spoolInto = (bytes: AsyncIterable<Uint8Array>, maxBytes: number) => {
    const within = async function* () {
      yield* withinRoom(spoolDir, bytes, await leftFree())
    }
    return spool(join(spoolDir, newFileName()), within(), maxBytes)
  }
  const checked = (name: string) => {
    if (!nameForm.test(name)) throw new Error('not a name of the file store')
    return name
  }
  const removeFromBoth = async (name: string) => {
    await disk.remove(name)
    await s3?.remove(name)
  }
  return {
    spool: spoolInto,
    async keep(name, spooled) {
      const place = await placeOfNew(config, database)
      await (place === 's3' && s3 ? s3 : disk).keep(checked(name), spooled)
      // Files began to be moved meanwhile. Left here it would be found all the same.
      const now = await placeOfNew(config, database)
      if (now !== place && database)
        await inTransaction(database, async (db) => {
          await lockFile(db, name)
          await relocate({ places, spool: spoolInto }, { name, to: now })
        }).catch(() => undefined)
    },
    async read(name, range) {
      if (!nameForm.test(name)) return undefined
      const found = (await disk.read(name, range)) ?? (await s3?.read(name, range))
      // It may have been moved from the bucket between the two looks.
      return found ?? (s3 && disk.read(name, range))
    },
    async remove(name) {
      checked(name)
      if (!s3 || !database) return removeFromBoth(name)
      await inTransaction(database, async (db) => {
        await lockFile(db, name)
        await removeFromBoth(name)
      })
    },
    hasRoom: async () => hasRoom(spoolDir, await leftFree()),
    freeBytes: async () =>
      (await placeOfNew(config, database)) === 'disk' ? freeBytes(spoolDir) : undefined,
    describePlace: () => describePlace(config, database),
  }
}

async function spool(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled> {
  const hash = createHash('sha256')
  const first: Uint8Array[] = []
  let sizeBytes = 0
  const measured = async function* () {
    for await (const chunk of bytes) {
      if (sizeBytes < headBytes) first.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new FileTooLarge()
      hash.update(chunk)
      yield chunk
    }
  }
  const drop = () => rm(path, { force: true })
  // Open the file first: a stream that fails before it has opened its file would create it after the cleanup.
  const file = await open(path, 'wx', 0o600)
  try {
    await pipeline(measured, file.createWriteStream({ flush: true }))
  } catch (error) {
    await drop()
    throw error
  }
  return {
    path,
    sizeBytes,
    head: Buffer.concat(first).subarray(0, headBytes),
    readStart: (bytes) => readStart(path, Math.min(bytes, sizeBytes)),
    sha256: hash.digest('hex'),
    drop,
  }
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Compares with the time of a new file, since the file system may have another clock. */
async function clearLeftovers(spoolDir: string): Promise<void> {
  const probe = join(spoolDir, newFileName())
  await writeFile(probe, '')
  const { mtimeMs: nowMs } = await stat(probe)
  for (const name of await readdir(spoolDir)) {
    const path = join(spoolDir, name)
    const found = await stat(path).catch(() => undefined)
    if (path === probe || (found && nowMs - found.mtimeMs > leftoverAfterMs)) await rm(path, { force: true })
  }
}
