import { type Database, isDatabaseDown, isWorthRepeating } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import type { SignalChannel } from './signals.ts'
import { createWorkerSleep, type WakeReason } from './worker-sleep.ts'

/** The context of a pass. */
export interface Pass {
  /** What woke the lane; the first pass is a poll. Stays the same while passes return `more`. */
  reason: WakeReason
  /** Aborted when the worker is to stop: a long pass should end early. */
  stopping: AbortSignal
  /** Wakes another sleeping lane, when there is more than this one should do alone. */
  wakeAnother(): void
}

/**
 * The result of a pass. `more`: run again at once; `idle`: nothing until the next signal or poll; a number:
 * milliseconds until the next poll, instead of `pollMs`.
 */
export type NextPass = 'more' | 'idle' | number

export interface WorkerOptions {
  /** The name in logs and metrics. */
  name: string
  database: Database
  log: Log
  /** A signal of this channel starts a pass at once. */
  channel?: SignalChannel
  /** The maximum number of concurrent passes; default 1. */
  concurrency?: number
  /** The interval of passes without a signal: signals may be lost, and some work is due by time alone. */
  pollMs: number
  /** Pause after a failed pass, doubled with each further failure; default `pollMs`. */
  retryMs?: number
  /**
   * The log level of failures other than the database's, such as `warn` for those of the gateway; default
   * `error`.
   */
  failureLevel?: 'warn' | 'error'
  work(pass: Pass): Promise<NextPass>
}

export interface WorkerHealth {
  name: string
  /** Number of passes in progress. */
  running: number
  /** Milliseconds since a pass last succeeded, or since the start. */
  sincePassMs: number
  /** Number of failed passes since one succeeded. */
  failures: number
}

export interface Worker {
  /** Starts nothing new; resolves when the passes in progress have ended. */
  stop(): Promise<void>
  health(): WorkerHealth[]
}

/** The maximum pause between failures of one worker, unless its `retryMs` is longer. */
const longestRetryMs = 5000

/**
 * Repeats work whenever there may be something to do: on each signal of its channel, and by polling. The
 * first pass starts at once. A failure is logged and the work retried later, so `work` may simply throw.
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
    // An outage is logged once, not once per second.
    const level = !isTransient ? (options.failureLevel ?? 'error') : failures === 0 ? 'warn' : 'debug'
    log[level]({ err: error, worker: name }, 'worker failed')
  }

  async function runLane(first: WakeReason): Promise<void> {
    let reason = first
    while (!stopping.signal.aborted) {
      const next = await runPass(reason)
      // Work found by a poll had no signal, and may be more than one lane can do.
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

/** Combines workers that are stopped together. */
export function combineWorkers(workers: readonly Worker[]): Worker {
  return {
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
    health: () => workers.flatMap((worker) => worker.health()),
  }
}
