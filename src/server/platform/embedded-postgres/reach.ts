import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type Answer, tryConnect } from './connect.ts'
import { type Launch, launch } from './launch.ts'
import { disarmLockFiles, readPidFile } from './lock/pid-file.ts'
import { isPrivateFolder, type DataDir } from './data-dir.ts'
import { isServerOf } from './lock/process-table.ts'

/** Everything that is needed to find or start the server of a folder. */
export interface Site {
  dataDir: DataDir
  binaries: Binaries
  name: string
  applicationName: string
  isDurable: boolean
  stopRequested: () => boolean
}

export interface Reached {
  /** a session of the superuser in the maintenance database */
  client: pg.Client
  socketFolder: string
  /** whether this call started the server */
  hasLaunched: boolean
}

const pollMs = 15
const pauseAfterFailureMs = 100
const mostFailures = 40

/**
 * Connects to the folder's server, and starts it when there is none. Tries the socket first, because pid
 * files are unreliable after restarts of the machine and in containers that share a folder. `deadline` is a
 * time of performance.now(), which is monotonic.
 */
export async function reachServer(site: Site, deadline: number): Promise<Reached> {
  let launched: Launch | undefined
  let hasLaunched = false
  let failures = 0
  while (performance.now() < deadline) {
    const pidFile = await readPidFile(site.dataDir.dataFolder)
    const { answer, socketFolder } = await tryConnectAnywhere(site, pidFile?.socketFolder)
    if (answer.kind === 'open') return { client: answer.client, socketFolder, hasLaunched }
    if (launched?.hasEnded()) {
      launched = undefined
      failures += 1
      if (failures >= mostFailures) throw cannotLaunch(site)
      await sleep(pauseAfterFailureMs)
      continue
    }
    const isComing = answer.kind === 'wait' || launched || (await isServed(site, pidFile?.pid))
    if (!isComing) {
      if (!hasLaunched && site.stopRequested()) throw stopped()
      await disarmLockFiles(site.dataDir.dataFolder, site.dataDir.socketFolder)
      launched = await launch(site.dataDir, site.binaries, site)
      hasLaunched = true
    }
    await sleep(pollMs)
  }
  throw new EmbeddedPostgresError(
    `O banco de dados em ${site.dataDir.home} não respondeu em 60 s (pode estar se recuperando; o ` +
      `registro está em ${site.dataDir.logFile}): tente de novo em instantes ou defina DATABASE_URL`,
  )
}

/** The error when the caller asked to stop and there is nothing left to stop. */
export function stopped(): EmbeddedPostgresError {
  return new EmbeddedPostgresError('Início interrompido a pedido', 'stopped')
}

/** The socket is in the folder that the pid file names or, seen from another container, in the usual one. */
async function tryConnectAnywhere(
  site: Site,
  folderInPidFile: string | undefined,
): Promise<{ answer: Answer; socketFolder: string }> {
  const usual = site.dataDir.socketFolder
  // Accept it only if it is ours: after a restart somebody else may have created the old pid file's folder in
  // /tmp.
  const isElsewhere = folderInPidFile !== undefined && folderInPidFile !== usual
  if (isElsewhere && (await isPrivateFolder(folderInPidFile, site.dataDir.account))) {
    const answer = await tryConnect(folderInPidFile, site.applicationName)
    if (answer.kind !== 'nobody') return { answer, socketFolder: folderInPidFile }
  }
  return { answer: await tryConnect(usual, site.applicationName), socketFolder: usual }
}

async function isServed(site: Site, pid: number | undefined): Promise<boolean> {
  return pid !== undefined && isServerOf(pid, site.dataDir.dataFolder)
}

function cannotLaunch(site: Site): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `O PostgreSQL não inicia em ${site.dataDir.home}: o motivo está em ${site.dataDir.logFile}; ` +
      'corrija isso ou defina DATABASE_URL',
  )
}
