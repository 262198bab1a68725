import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedPostgresError } from '../errors.ts'
import { endQuietly, isConnectionLoss } from '../connect.ts'
import { announceLeaving, describeHolder, leavingCheckMs, type LockResult, tryLock } from './lock.ts'
import { rotateLog } from '../launch.ts'
import { reachServer, type Site } from '../reach.ts'
import { stopServer } from '../stop.ts'

type Log = (line: { level: 'info' | 'warn' | 'error'; msg: string }) => void

/** Holds the lock of the folder for the program's lifetime. */
interface LockHolder {
  onLost(listener: (reason: string) => void): void
  /**
   * Stops the server with a fast shutdown, unless another program has the lock. A second call returns the
   * same promise.
   */
  stop(): Promise<void>
}

const retakeWithinMs = 60_000
const pauseMs = 20
const logCheckEveryMs = 10 * 60_000

/**
 * Watches the session that holds the lock. When it ends, nobody holds the lock: a crash of one backend ends
 * all sessions. Then the lock is taken again at once, after restarting the server if necessary. When another
 * program has taken it, the listeners are called and this program must exit.
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
      log({ level: 'warn', msg: 'the session that holds the database was lost; taking it again' })
      retaking = retakeOnceThereIsRoom(site, log, () => stopping !== undefined || site.stopRequested())
        .then((next) => {
          client = next
          isHeld = true
          watch(next)
          log({ level: 'info', msg: 'the database was taken again' })
        })
        .catch((error: unknown) => {
          // The server is gone because we are stopping: nothing is lost.
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
      log({ level: 'error', msg: `the database in ${site.dataDir.home} has not stopped within 60 s` })
    // Usually the server has ended the session. When another program has the folder, end it without stopping
    // the server.
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

/** Starts the periodic tasks of the lock holder; returns a function that ends them. */
function startChores(site: Site, log: Log, session: () => pg.Client): () => void {
  const rotation = setInterval(() => {
    rotateLog(site.dataDir).catch((error: unknown) =>
      log({
        level: 'warn',
        msg: `the log ${site.dataDir.logFile} could not be rotated: ${String(error)}`,
      }),
    )
  }, logCheckEveryMs).unref()
  const departure = setInterval(() => {
    if (!site.stopRequested()) return
    clearInterval(departure)
    // Without it, waiting programs notice the end of the session.
    announceLeaving(session()).catch(() => undefined)
  }, leavingCheckMs).unref()
  return () => {
    clearInterval(rotation)
    clearInterval(departure)
  }
}

/** Without room for two segments of its log PostgreSQL cannot end its recovery, and so not start. */
const leastRoomBytes = 2 * 16 * 1024 * 1024
const roomCheckMs = 500

/**
 * Retakes the lock. A server that went down because the disk is full is started again when there is space,
 * whenever that is: to end the program would help nobody.
 */
async function retakeOnceThereIsRoom(site: Site, log: Log, isOver: () => boolean): Promise<pg.Client> {
  const isFull = async () => {
    const { bavail, bsize } = await statfs(site.dataDir.home)
    return bavail * bsize < leastRoomBytes
  }
  for (;;)
    try {
      return await retake(site)
    } catch (error) {
      const isTaken = error instanceof EmbeddedPostgresError && error.reason === 'in_use'
      if (isTaken || isOver() || !(await isFull())) throw error
      log({
        level: 'error',
        msg: `the disk of ${site.dataDir.home} is full: the database is back when there is space`,
      })
      while (!isOver() && (await isFull())) await sleep(roomCheckMs)
      if (isOver()) throw error
    }
}

/** Connects to the server again and takes the lock if it is free. */
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
      // Our own old session, whose end the server has not noticed yet.
      await sleep(pauseMs)
      continue
    }
    throw new EmbeddedPostgresError(
      `O banco de dados passou para outro programa (${describeHolder(result.holder)}): este encerra; ` +
        'use outra DATA_DIR ou DATABASE_URL',
      'in_use',
    )
  }
}
