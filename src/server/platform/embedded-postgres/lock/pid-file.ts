import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import { isServerOf } from './process-table.ts'
import { port } from '../settings.ts'

/** Larger than any pid of any system, but still an integer for PostgreSQL: the process counts as dead. */
const impossiblePid = 2_147_483_646

interface PidFile {
  /** absent when line 1 is no number */
  pid?: number
  /** line 5: the folder of the socket; absent while the server is starting */
  socketFolder?: string
}

function pidFilePath(dataFolder: string): string {
  return join(dataFolder, 'postmaster.pid')
}

/** Reads postmaster.pid; undefined when there is none. */
export async function readPidFile(dataFolder: string): Promise<PidFile | undefined> {
  try {
    return parsePidFile(await readFile(pidFilePath(dataFolder), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Parses line 1, the pid, which is negative for a single-user server, and line 5, the socket's folder. Pure.
 */
export function parsePidFile(text: string): PidFile {
  const lines = text.split('\n')
  const pid = /^-?\d+$/.test(lines[0]?.trim() ?? '') ? Math.abs(Number(lines[0])) : undefined
  const socketFolder = lines[4]?.startsWith('/') ? lines[4] : undefined
  return { ...(pid ? { pid } : {}), ...(socketFolder ? { socketFolder } : {}) }
}

/**
 * Makes the lock files of a dead server harmless before a launch. PostgreSQL refuses to start when they name
 * an existing process, even an unrelated one or a zombie, or when they are malformed. Only the pid is
 * replaced: PostgreSQL uses the line of the shared memory to check whether children of the dead server are
 * alive. Never call this while the socket answers.
 */
export async function disarmLockFiles(dataFolder: string, socketFolder: string): Promise<void> {
  await disarm(pidFilePath(dataFolder), dataFolder)
  await disarm(join(socketFolder, `.s.PGSQL.${port}.lock`), dataFolder)
}

/**
 * Uses one handle throughout, so that a parallel start is not affected: PostgreSQL never reuses the lock file
 * of a dead server but removes it and creates a new one, and then we write to the removed one.
 */
async function disarm(path: string, dataFolder: string): Promise<void> {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return
  try {
    const text = await handle.readFile('utf8')
    const { pid } = parsePidFile(text)
    if (pid !== undefined && (await isServerOf(pid, dataFolder))) return
    if (isJustMade(await handle.stat())) return
    const rest = text.includes('\n') ? text.slice(text.indexOf('\n') + 1) : ''
    const repaired = Buffer.from(`${impossiblePid}\n${rest}`)
    await handle.write(repaired, 0, repaired.length, 0)
    await handle.truncate(repaired.length)
  } finally {
    await handle.close()
  }
}

// A starting server creates the file and fills it a moment later.
function isJustMade(stats: { mtimeMs: number; size: number }): boolean {
  // oxlint-disable-next-line house/no-wall-clock -- the file system's times are by it
  return stats.size === 0 && Math.abs(Date.now() - stats.mtimeMs) < 1000
}
