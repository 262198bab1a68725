import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedPostgresError } from './errors.ts'
import { endQuietly, isConnectionLoss } from './connect.ts'
import { announceLeaving, describeHolder, leavingCheckMs, type LockResult, tryLock } from './lock.ts'
import { rotateLog } from './launch.ts'
import { reachServer, type Site } from './reach.ts'
import { stopServer } from './stop.ts'

type Log = (line: { level: 'info' | 'warn' | 'error'; msg: string }) => void

/** Holds the folder for the program's life. */
interface LockHolder {
  onLost(listener: (reason: string) => void): void
  /** Fast stop of the server, unless another program holds it by now. A second call returns the same promise. */
  stop(): Promise<void>
}

const retakeWithinMs = 60_000
const pauseMs = 20
const logCheckEveryMs = 10 * 60_000

/**
 * Watches over the session that holds the lock. Its end is an event: a crash of one backend ends all sessions, and
 * then nobody holds the lock. It is taken again at once, from a server started again if need be; when another program
 * was faster, the listeners hear of it and this program must exit.
 */
export function holdLock(site: Site, session: pg.Client, log: Log): LockHolder {
  const listeners: ((reason: string) => void)[] = []
  let client = session
  let isHeld = true
  let lostReason: string | undefined
  let stopping: Promise<void> | undefined
  let retaking: Promise<void> | undefined

  const lose = (reason: string): void => {
    lostReason = reason
    log({ level: 'error', msg: reason })
    for (const listener of listeners) listener(reason)
  }
  const watch = (watched: pg.Client): void => {
    watched.once('end', () => {
      if (stopping) return
      isHeld = false
      log({ level: 'warn', msg: 'A sessão que guarda o banco de dados caiu; retomando' })
      retaking = retake(site)
        .then((next) => {
          client = next
          isHeld = true
          watch(next)
          log({ level: 'info', msg: 'O banco de dados foi retomado' })
        })
        .catch((error: unknown) => {
          // The server is gone while we are stopping anyway: nothing is lost.
          if (stopping || site.stopRequested()) return
          lose(error instanceof Error ? error.message : String(error))
        })
        .finally(() => (retaking = undefined))
    })
  }
  watch(session)

  const endChores = startChores(site, log, () => client)
  const stop = async (): Promise<void> => {
    endChores()
    await retaking
    if (isHeld && !(await stopServer(site.dataDir.dataFolder)))
      log({ level: 'error', msg: `O banco de dados em ${site.dataDir.home} não parou em 60 s` })
    // Mostly the server has ended the session already; when the folder is somebody else's we leave quietly.
    await endQuietly(client)
  }

  return {
    onLost(listener) {
      listeners.push(listener)
      if (lostReason) listener(lostReason)
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** What is done now and then while the folder is held; returns what ends it. */
function startChores(site: Site, log: Log, session: () => pg.Client): () => void {
  const rotation = setInterval(() => {
    rotateLog(site.dataDir).catch((error: unknown) =>
      log({
        level: 'warn',
        msg: `O registro ${site.dataDir.logFile} não pôde ser trocado: ${String(error)}`,
      }),
    )
  }, logCheckEveryMs).unref()
  const departure = setInterval(() => {
    if (!site.stopRequested()) return
    clearInterval(departure)
    // Whoever waits learns it from the end of the session otherwise.
    announceLeaving(session()).catch(() => undefined)
  }, leavingCheckMs).unref()
  return () => {
    clearInterval(rotation)
    clearInterval(departure)
  }
}

/** Reaches the server again and takes the lock if it is free. */
async function retake(site: Site): Promise<pg.Client> {
  const deadline = performance.now() + retakeWithinMs
  for (;;) {
    const { client } = await reachServer(site, deadline)
    let result: LockResult
    try {
      result = await tryLock(client)
    } catch (error) {
      if (isConnectionLoss(error)) continue
      throw error
    }
    if (result.kind === 'taken') return client
    await endQuietly(client)
    if (result.holder === site.applicationName && performance.now() < deadline) {
      // Our own old session, which the server has not seen ending yet.
      await sleep(pauseMs)
      continue
    }
    throw new EmbeddedPostgresError(
      `O banco de dados passou para outro programa (${describeHolder(result.holder)}): este encerra; use outra DATA_DIR ou DATABASE_URL`,
      'in_use',
    )
  }
}
