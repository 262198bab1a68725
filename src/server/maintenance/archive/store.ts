import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm } from 'node:fs/promises'
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

/** Where backups are kept, each as a folder of members. */
export interface BackupStore {
  /** Writes a member whole, so that it survives a crash. @throws DiskFull when too little would be left */
  write(folder: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<Written>
  /** Takes a member from another backup without copying it. @returns false when it is not there */
  reuse(folder: string, name: string, from: string): Promise<boolean>
  /** @throws when there is no such member */
  read(folder: string, name: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes a backup; a missing one is no error. */
  remove(folder: string): Promise<void>
  /** The folders of all backups, finished or not. */
  list(): Promise<string[]>
  /** Bytes that can still be written; undefined where that is not known. */
  freeBytes(): Promise<number | undefined>
}

const folderForm = /^[A-Za-z0-9_-]{16,64}$/

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
      const hash = createHash('sha256')
      let size = 0
      const measured = async function* () {
        for await (const chunk of withinRoom(folderOf(folder), bytes)) {
          size += chunk.length
          hash.update(chunk)
          yield chunk
        }
      }
      const file = await open(path, 'wx', 0o600)
      await pipeline(measured, file.createWriteStream({ flush: true }))
      return { size, sha256: hash.digest('hex') }
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
    async read(folder, name, range) {
      const file = await open(pathOf(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW)
      return file.createReadStream(range)
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
