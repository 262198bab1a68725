import { constants } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileHolder } from './holder.ts'

/** Stores files in a folder of this machine, spread over 4,096 subfolders so that none becomes too large. */
export function createFolder(folder: string): FileHolder {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name)
  return {
    async keep(name, spooled) {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(spooled.path, path)
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
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ELOOP'
}
