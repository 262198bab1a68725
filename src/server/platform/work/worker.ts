import { type Database, isDatabaseDown, isWorthRepeating } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import type { SignalChannel } from './signals.ts'
import { createWorkerSleep, type WakeReason } from './worker-sleep.ts'

/** What a pass is given. */
export interface Pass {
  /** What woke the lane; the first pass is a poll. Stays the same while passes return `more`. */
  reason: WakeReason
  /** Aborted once the worker is to stop: a long pass should come to an end. */
  stopping: AbortSignal
  /** Wakes another lane, if one sleeps: there is more than this one should do alone. */
  wakeAnother(): void
}

/**
 * What a pass returns. `more`: there may be more at once; `idle`: nothing until the next signal or poll; a
 * number: milliseconds until the next poll, instead of `pollMs`.
 */
export type NextPass = 'more' | 'idle' | number

export interface WorkerOptions {
  /** As logs and metrics name it. */
  name: string
  database: Database
  log: Log
  /** Its signals begin a pass at once. */
  channel?: SignalChannel
  /** Passes that may be under way at the same time; 1 when absent, so that two never are. */
  concurrency?: number
  /**
   * Signals may be lost, and some work falls due by time alone: so long without one, a pass is made anyway.
   */
  pollMs: number
  /** Until the next pass after one that failed, doubled with each further failure; `pollMs` when absent. */
  retryMs?: number
  /**
   * Of failures that are not the database's; `warn` where the gateway's pass through. `error` when absent.
   */
  failureLevel?: 'warn' | 'error'
  work(pass: Pass): Promise<NextPass>
}

export interface WorkerHealth {
  name: string
  /** Passes under way. */
  running: number
  /** Since a pass last ended well, or since the start, in milliseconds. */
  sincePassMs: number
  /** Passes that failed since one ended well. */
  failures: number
}

export interface Worker {
  /** Begins nothing new; resolves when what is under way has ended. */
  stop(): Promise<void>
  health(): WorkerHealth[]
}

/** Failures of one worker are never further apart, unless its `retryMs` is longer. */
const longestRetryMs = 5000

/**
 * Repeats a piece of work whenever there may be something to do: on each signal of its channel, and by
 * polling. The first pass begins at once. A failure is logged and the work tried again later, so `work` may
 * simply throw.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { name, database, log, channel, concurrency = 1, pollMs, retryMs = pollMs } = options
  const stopping = new AbortController()
  const lanes = createWorkerSleep()
  let running = 0
  let failures = 0
  let passedAtMs = performance.now()

  async function runPass(reason: WakeReason): Promise<NextPass> {
    running++
    try {
      const next = await options.work({ reason, stopping: stopping.signal, wakeAnother: lanes.wakeSleeper })
      failures = 0
      passedAtMs = performance.now()
      return next
    } catch (error) {
      logFailure(error)
      failures++
      return Math.min(retryMs * 2 ** (failures - 1), Math.max(retryMs, longestRetryMs))
    } finally {
      running--
    }
  }

  function logFailure(error: unknown): void {
    const isTransient = isDatabaseDown(error) || isWorthRepeating(error)
    // An outage is one line, not one a second.
    const level = !isTransient ? (options.failureLevel ?? 'error') : failures === 0 ? 'warn' : 'debug'
    log[level]({ err: error, worker: name }, 'worker failed')
  }

  async function runLane(first: WakeReason): Promise<void> {
    let reason = first
    while (!stopping.signal.aborted) {
      const next = await runPass(reason)
      // What a poll finds was signalled to nobody, and there may be more than one lane can do.
      if (next === 'more' && reason === 'poll') lanes.wakeSleeper()
      if (next === 'more' || stopping.signal.aborted) continue
      reason = await lanes.sleep(next === 'idle' ? pollMs : next)
    }
  }

  const off = channel && database.signals.on(channel, lanes.signal)
  const sleeping = Array.from({ length: concurrency - 1 }, () => lanes.sleep(pollMs).then(runLane))
  const ended = Promise.all([runLane('poll'), ...sleeping])
  return {
    async stop() {
      stopping.abort()
      off?.()
      lanes.wakeAll()
      await ended
    },
    health: () => [{ name, running, sincePassMs: performance.now() - passedAtMs, failures }],
  }
}

/** Several workers that are stopped together. */
export function combineWorkers(workers: readonly Worker[]): Worker {
  return {
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
    health: () => workers.flatMap((worker) => worker.health()),
  }
}
