import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MissingProgram } from '../support/scenario.ts'

/** A small file system in memory, and a file that takes up its space. */
export interface SmallDisk {
  folder: string
  /** Bytes that are free. */
  free(): number
  /** Takes up space until at most so many bytes are free. */
  fill(leave: number): void
  /** Gives all of it back. */
  clear(): void
}

const pieceBytes = 256 * 1024
const pageBytes = 4096

/** @throws MissingProgram where this process may mount nothing */
export function mountSmallDisk(megabytes: number, defer: (close: () => unknown) => void): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-disk-'))
  try {
    // Others may pass, since the embedded database runs under an account of its own.
    const options = `size=${megabytes}m,mode=0711`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(folder)
    throw new MissingProgram(`mount, as root: ${error instanceof Error ? error.message : String(error)}`)
  }
  defer(() => {
    // What still has it open keeps it until its end.
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  })
  const ballast = join(folder, 'ballast')
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    free,
    fill(leave) {
      const file = openSync(ballast, 'a')
      const zeros = Buffer.alloc(pieceBytes)
      try {
        for (let spare = free() - leave; spare > 0; spare = free() - leave)
          writeSync(file, zeros, 0, Math.min(pieceBytes, Math.ceil(spare / pageBytes) * pageBytes))
      } catch (error) {
        // Somebody else took the last of it.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(ballast, { force: true }),
  }
}
