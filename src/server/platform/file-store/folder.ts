import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileHolder, type Listed, nameForm } from './holder.ts'

export interface Folder extends FileHolder {
  /** Where the file of that name is, if it is there. */
  pathOf(name: string): string
}

/** Stores files in a folder of this machine, spread over 4,096 subfolders so that none becomes too large. */
export function createFolder(folder: string): Folder {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name)
  return {
    pathOf,
    async keep(name, whole) {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(whole.path, path)
      // The name survives a crash only when the folder itself is synced.
      const parent = await open(dirname(path), 'r')
      try {
        await parent.sync()
      } finally {
        await parent.close()
      }
    },
    async read(name, range) {
      try {
        // A symbolic link could lead out of the folder.
        const file = await open(pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW)
        return file.createReadStream(range)
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      for (const within of await namesIn(folder))
        if (within.length === 2)
          for (const name of await namesIn(join(folder, within))) {
            const file = nameForm.test(name) && pathOf(name) === join(folder, within, name)
            const listed = file ? await describe(name, pathOf(name)) : undefined
            if (listed) yield listed
          }
    },
  }
}

/** Nothing of a folder that is none. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error) || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/** undefined for what is no file, and for one that has gone meanwhile. */
async function describe(name: string, path: string): Promise<Listed | undefined> {
  try {
    const found = await lstat(path)
    return found.isFile() ? { name, sizeBytes: found.size, changedAt: found.mtime } : undefined
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ELOOP'].includes(codeOf(error) ?? '')
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
