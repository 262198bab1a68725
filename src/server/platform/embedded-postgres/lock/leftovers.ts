import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from './process-table.ts'

/**
 * Temporary folders that this process is filling. After a restart of the machine an older leftover may
 * contain our pid.
 */
const inUse = new Set<string>()

/** Reserves a temporary path `<parent>/<prefix>-<pid>-<random>` beside its target. Release it when done. */
export function claimTemporary(parent: string, prefix: string): string {
  const path = join(parent, `${prefix}-${process.pid}-${randomBytes(6).toString('hex')}`)
  inUse.add(path)
  return path
}

/** Releases the temporary path, and removes the folder if it still exists. */
export async function releaseTemporary(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  inUse.delete(path)
}

/**
 * Removes the temporary folders of dead programs. Never fails: an orphaned initdb may still be writing there,
 * and the next start tries again. Returns the names that could not be removed.
 */
export async function sweepLeftovers(parent: string, prefix: string): Promise<string[]> {
  const failed: string[] = []
  for (const name of await readdir(parent)) {
    const match = /^([a-z]+)-(\d+)-[0-9a-f]{12}$/.exec(name)
    if (!match || match[1] !== prefix) continue
    const path = join(parent, name)
    const pid = Number(match[2])
    if (pid === process.pid ? inUse.has(path) : isAlive(pid)) continue
    await rm(path, { recursive: true, force: true }).catch(() => failed.push(name))
  }
  return failed
}
