import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, open, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { identityOf } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf } from './errors.ts'
import type { Place } from './place.ts'
import { reducedEnvironment } from './run.ts'
import { hbaFile, identFile, serverArguments, superuserRole } from './settings.ts'

/** A server process of ours: it may still lose against another start, so only the socket tells success. */
export interface Launch {
  hasEnded(): boolean
}

const largestLogBytes = 10 * 1024 * 1024

/**
 * Starts `postgres` in a session of its own, so that neither Ctrl+C nor our own death takes it along: the next start
 * finds it and goes on with it. Its output is appended to the log.
 */
export async function launch(
  place: Place,
  binaries: Binaries,
  options: { name: string; isDurable: boolean },
): Promise<Launch> {
  await writeAccessFiles(place, options.name)
  await rotateLog(place.logFile)
  const log = await openLog(place)
  try {
    const child = spawn(
      binaries.postgres,
      serverArguments({
        dataFolder: place.dataFolder,
        socketFolder: place.socketFolder,
        isDurable: options.isDurable,
      }),
      {
        ...identityOf(place.account),
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

/** Keeps the log under 10 MB, with one predecessor. Copied and emptied, because a living server holds it open. */
export async function rotateLog(logFile: string): Promise<void> {
  try {
    if ((await stat(logFile)).size < largestLogBytes) return
    await copyFile(logFile, `${logFile}.1`)
    await truncate(logFile, 0)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

async function openLog(place: Place) {
  // NOFOLLOW: we may be root, and the folder belongs to another account.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const log = await open(place.logFile, flags, 0o600)
  await log.chmod(0o600)
  if (place.account.isOther) await log.chown(place.account.uid, place.account.gid)
  return log
}

/** Who may come in: written anew before each launch, whole or not at all (other starts may be reading). */
async function writeAccessFiles(place: Place, name: string): Promise<void> {
  await replaceFile(place, 'pg_hba.conf', hbaFile(name))
  await replaceFile(place, 'pg_ident.conf', identFile(name, place.account.programUser, [superuserRole, name]))
}

async function replaceFile(place: Place, fileName: string, text: string): Promise<void> {
  const temporary = join(place.dataFolder, `.${fileName}.${randomBytes(6).toString('hex')}`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (place.account.isOther) await file.chown(place.account.uid, place.account.gid)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await rename(temporary, join(place.dataFolder, fileName))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
