import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeBytes, withinRoom } from '#server/platform/file-store/disk-room.ts'
import { type Member, memberForm } from './tar.ts'

export interface Written {
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** Passes bytes on. `result` is what they were, once all have passed. */
export function measure(bytes: AsyncIterable<Uint8Array>): {
  bytes: AsyncGenerator<Uint8Array>
  result(): Written
} {
  const hash = createHash('sha256')
  let size = 0
  async function* passed() {
    for await (const chunk of bytes) {
      size += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  return { bytes: passed(), result: () => ({ size, sha256: hash.digest('hex') }) }
}

/** Where backups are kept, each as a folder of members. */
export interface BackupStore {
  /**
   * Writes a member whole, once. Its bytes survive a crash, its name does when the backup is settled.
   * @throws DiskFull when too little would be left
   */
  write(folder: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<Written>
  /** Takes a member from another backup without copying it. @returns false when it is not there */
  reuse(folder: string, name: string, from: string): Promise<boolean>
  /** Makes the names of what was written survive a crash. */
  settle(folder: string): Promise<void>
  /** @throws MemberMissing */
  read(folder: string, name: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes a backup; a missing one is no error. */
  remove(folder: string): Promise<void>
  /** Whether anything of a backup is there. */
  has(folder: string): Promise<boolean>
  /** The folders of all backups, finished or not. */
  list(): Promise<string[]>
  /** Bytes that can still be written; undefined where that is not known. */
  freeBytes(): Promise<number | undefined>
}

/** A member of a backup is not in the store. */
export class MemberMissing extends Error {
  override readonly name = 'MemberMissing'

  constructor(member: string) {
    super(`the backup has no ${member}`)
  }
}

export const folderForm = /^[A-Za-z0-9_-]{16,64}$/

/** Keeps backups in a folder of this machine. What they have in common they share, as hard links. */
export function createFolderStore(root: string): BackupStore {
  return storeOf(root, (folder) => {
    if (!folderForm.test(folder)) throw new Error('not a name of the store of backups')
    return join(root, folder)
  })
}

/** The same for a folder of any name that has the members of one alone, whatever it is called. */
export const createSoleStore = (path: string): BackupStore => storeOf(path, () => path)

function storeOf(root: string, folderOf: (folder: string) => string): BackupStore {
  const pathOf = (folder: string, name: string) => {
    if (!memberForm.test(name)) throw new Error('not a name of a member')
    return join(folderOf(folder), name)
  }
  const prepare = async (folder: string, name: string) => {
    const path = pathOf(folder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
  return {
    async write(folder, name, bytes) {
      const path = await prepare(folder, name)
      const measured = measure(withinRoom(folderOf(folder), bytes))
      const file = await open(path, 'wx', 0o600)
      await pipeline(measured.bytes, file.createWriteStream({ flush: true }))
      return measured.result()
    },
    async reuse(folder, name, from) {
      const path = await prepare(folder, name)
      try {
        await link(pathOf(from, name), path)
        return true
      } catch (error) {
        // Another file system, or one without links: it is copied anew.
        if (isOneOf(error, ['ENOENT', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'])) return false
        throw error
      }
    },
    async settle(folder) {
      const path = folderOf(folder)
      const entries = await readdir(path, { withFileTypes: true })
      const kinds = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
      // The backup itself, and the store, may be new as well.
      for (const each of new Set([...kinds, path, root, dirname(root)])) await syncFolder(each)
    },
    async read(folder, name, range) {
      try {
        const file = await open(pathOf(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW)
        return file.createReadStream(range)
      } catch (error) {
        throw isOneOf(error, ['ENOENT', 'ELOOP']) ? new MemberMissing(name) : error
      }
    },
    async has(folder) {
      try {
        return (await stat(folderOf(folder))).isDirectory()
      } catch (error) {
        if (isOneOf(error, ['ENOENT'])) return false
        throw error
      }
    },
    remove: (folder) => rm(folderOf(folder), { recursive: true, force: true }),
    async list() {
      try {
        return (await readdir(root)).filter((name) => folderForm.test(name))
      } catch (error) {
        if (isOneOf(error, ['ENOENT'])) return []
        throw error
      }
    },
    freeBytes: () => freeBytes(root),
  }
}

/** Where folders cannot be synced, or not by us, nothing is gained by failing. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch((error: unknown) => {
    if (!isOneOf(error, ['EACCES'])) throw error
  })
  try {
    await folder?.sync()
  } catch (error) {
    if (!isOneOf(error, ['EINVAL', 'ENOTSUP'])) throw error
  } finally {
    await folder?.close()
  }
}

export const layoutName = 'layout'

/** Reads the members of a finished backup, in their order in the file. */
export async function readLayout(store: BackupStore, folder: string): Promise<Member[]> {
  let text = ''
  for await (const chunk of await store.read(folder, layoutName)) text += String(chunk)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [size = '', name = ''] = line.split(' ')
      return { name, size: Number(size) }
    })
}

const isOneOf = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
