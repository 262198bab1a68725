import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from './config.ts'
import { createBucket } from './file-store/bucket.ts'
import { hasRoom, reserveBytes, withinRoom } from './file-store/disk-room.ts'
import { createFolder } from './file-store/folder.ts'
import type { ByteRange, Spooled } from './file-store/holder.ts'

export type { ByteRange, Spooled }

/** The store of files, in a folder of this machine or in a bucket. A file exists whole or not at all. */
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
}

export class FileTooLarge extends Error {}

const headBytes = 64 * 1024
/** Longer than any upload takes: older files were left by a dead program. */
const leftoverAfterMs = 6 * 60 * 60_000

/** A random name that cannot be guessed and is no path on any system. */
export function newFileName(): string {
  return randomBytes(24).toString('base64url')
}

const nameForm = /^[A-Za-z0-9_-]{16,64}$/

/** @param reserve bytes that files leave free on the disk */
export async function createFileStore(config: Config, reserve = reserveBytes): Promise<FileStore> {
  const folder = join(config.dataDir, 'uploads')
  const spoolDir = join(folder, 'cache')
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  await clearLeftovers(spoolDir)
  const holder = config.bucket ? createBucket(config.bucket) : createFolder(folder)
  const checked = (name: string) => {
    if (!nameForm.test(name)) throw new Error('not a name of the file store')
    return name
  }
  return {
    spool: (bytes, maxBytes) =>
      spool(join(spoolDir, newFileName()), withinRoom(spoolDir, bytes, reserve), maxBytes),
    keep: (name, spooled) => holder.keep(checked(name), spooled),
    read: async (name, range) => (nameForm.test(name) ? holder.read(name, range) : undefined),
    remove: (name) => holder.remove(checked(name)),
    hasRoom: () => hasRoom(spoolDir, reserve),
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
