import { Worker } from 'node:worker_threads'
import { JobInterrupted, type ThreadDeath } from './job-definition.ts'
import type { Attempt } from './job-runs.ts'
import { deserializeError, type SerializedError } from './serialized-error.ts'

/** One attempt of a run, as its thread receives it. */
export interface ThreadWork extends Attempt {
  /** The name of the job. */
  job: string
  data: unknown
}

/** How the work of a thread ended, as it reports. */
export type ThreadEnding =
  | { kind: 'done' }
  | { kind: 'interrupted'; reason: JobInterrupted['reason'] }
  | { kind: 'failed'; thrown: SerializedError }

/** What a thread receives while it works. */
export const stopMessage = 'stop'

/** A thread came to its end without saying how its work has ended. */
export class ThreadDied extends Error {
  override name = 'ThreadDied'
  readonly death: ThreadDeath
  constructor(death: ThreadDeath, message: string) {
    super(message)
    this.death = death
  }
}

/** Threads for jobs, one for each run. */
export interface JobThreads {
  /**
   * Does the work of a run in a thread of its own, which is gone when this settles.
   * @param stopping aborted when the program stops
   * @throws JobInterrupted, ThreadDied, or an error like that which the work threw
   */
  run(work: ThreadWork, stopping: AbortSignal): Promise<void>
  /** Ends the threads that are left. What they were doing is interrupted. */
  stop(): Promise<void>
}

/** A run that needs more has a fault; the program itself would have no more on a small machine. */
const usualHeapMiB = 1024

/**
 * @param program what each thread runs: it calls `serveThread`
 * @param given its `workerData`, together with `work`, a ThreadWork
 */
export function createJobThreads(program: URL, given: object, mostHeapMiB = usualHeapMiB): JobThreads {
  const resourceLimits = { maxOldGenerationSizeMb: mostHeapMiB }
  const running = new Set<Worker>()
  let isStopped = false

  async function endingOf(worker: Worker): Promise<ThreadEnding> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadEnding>()
    worker.once('message', resolve)
    worker.once('error', (error: unknown) => reject(deathOf(error)))
    worker.once('exit', () => {
      reject(isStopped ? new JobInterrupted('stopping') : new ThreadDied('crash', 'the thread has ended'))
    })
    return promise
  }

  return {
    async run(work, stopping) {
      const worker = new Worker(program, { workerData: { ...given, work }, resourceLimits })
      running.add(worker)
      const onStop = () => worker.postMessage(stopMessage)
      stopping.addEventListener('abort', onStop, { once: true })
      if (stopping.aborted) onStop()
      try {
        const ending = await endingOf(worker)
        if (ending.kind === 'interrupted') throw new JobInterrupted(ending.reason)
        if (ending.kind === 'failed') throw deserializeError(ending.thrown)
      } finally {
        stopping.removeEventListener('abort', onStop)
        await worker.terminate()
        running.delete(worker)
      }
    },
    async stop() {
      isStopped = true
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}

function deathOf(error: unknown): ThreadDied {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const words = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  const died = new ThreadDied(isMemory ? 'memory' : 'crash', words)
  if (error instanceof Error && error.stack) died.stack = error.stack
  return died
}
