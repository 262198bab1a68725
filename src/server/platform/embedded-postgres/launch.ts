import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { identityOf } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf } from './errors.ts'
import type { DataDir } from './data-dir.ts'
import { reducedEnvironment } from './run.ts'
import { hbaFile, identFile, serverArguments, superuserRole } from './settings.ts'

/**
 * A launched server process. It may still lose against a parallel start, so only the socket proves success.
 */
export interface Launch {
  hasEnded(): boolean
}

const largestLogBytes = 10 * 1024 * 1024

/**
 * Starts `postgres` in a session of its own, so that neither Ctrl+C nor our death ends it: the next start
 * takes it over. Its output is appended to the log.
 */
export async function launch(
  dataDir: DataDir,
  binaries: Binaries,
  options: { name: string; isDurable: boolean },
): Promise<Launch> {
  await writeAccessFiles(dataDir, options.name)
  await rotateLog(dataDir)
  const log = await openLog(dataDir)
  try {
    const child = spawn(
      binaries.postgres,
      serverArguments({
        dataFolder: dataDir.dataFolder,
        socketFolder: dataDir.socketFolder,
        isDurable: options.isDurable,
      }),
      {
        ...identityOf(dataDir.account),
        cwd: '/',
        env: reducedEnvironment(),
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    )
    let ended = false
    child.once('error', () => (ended = true))
    child.once('exit', () => (ended = true))
    child.unref()
    return { hasEnded: () => ended }
  } finally {
    await log.close()
  }
}

/**
 * Keeps the log below 10 MB, with one predecessor. It is copied and truncated, because a running server has
 * it open. Symbolic links are not followed: we may be root, and the folder belongs to another account.
 */
export async function rotateLog(dataDir: DataDir): Promise<void> {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW
  const log = await open(dataDir.logFile, flags).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!log) return
  try {
    if ((await log.stat()).size < largestLogBytes) return
    await rm(`${dataDir.logFile}.1`, { recursive: true, force: true })
    const kept = await open(`${dataDir.logFile}.1`, 'wx', 0o600)
    if (dataDir.account.isOther) await kept.chown(dataDir.account.uid, dataDir.account.gid)
    await pipeline(log.createReadStream({ start: 0, autoClose: false }), kept.createWriteStream())
    await log.truncate(0)
  } finally {
    await log.close()
  }
}

async function openLog(dataDir: DataDir) {
  // NOFOLLOW for the same reason.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const log = await open(dataDir.logFile, flags, 0o600)
  await log.chmod(0o600)
  if (dataDir.account.isOther) await log.chown(dataDir.account.uid, dataDir.account.gid)
  return log
}

/** Writes the access rules before each launch, atomically, because parallel starts may be reading them. */
async function writeAccessFiles(dataDir: DataDir, name: string): Promise<void> {
  await replaceFile(dataDir, 'pg_hba.conf', hbaFile(name))
  await replaceFile(
    dataDir,
    'pg_ident.conf',
    identFile(name, dataDir.account.programUser, [superuserRole, name]),
  )
}

async function replaceFile(dataDir: DataDir, fileName: string, text: string): Promise<void> {
  const temporary = join(dataDir.dataFolder, `.${fileName}.${randomBytes(6).toString('hex')}`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (dataDir.account.isOther) await file.chown(dataDir.account.uid, dataDir.account.gid)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await rename(temporary, join(dataDir.dataFolder, fileName))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
