import { type Database, inTransaction, isDatabaseDown } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import { type JobContext, type JobDefinition, JobInterrupted } from './job-definition.ts'
import { type JobThreads, ThreadDied } from './job-threads.ts'
import { type Attempt, beginRun, finishRun, type Progress, saveProgress, trimRuns } from './job-runs.ts'

/** What an attempt is given. */
interface AttemptParts {
  database: Database
  log: Log
  /** For jobs whose runs have a thread of their own; without it they run here. */
  threads?: Pick<JobThreads, 'run'> | undefined
}

/** What the queue does with the job next: `again` delivers it once more. */
export type Outcome = 'over' | 'again' | 'failed'

const beatMs = 5000

/**
 * Runs one delivery of a job, and maintains its row in `job_runs`.
 * @param stopping aborted when the program stops
 * @throws what the database threw: the queue delivers the job again
 */
export async function attemptJob(
  parts: AttemptParts,
  job: JobDefinition<unknown>,
  delivery: { id: string; data: unknown },
  stopping: AbortSignal,
): Promise<Outcome> {
  const outcome = await attempt(parts, job, delivery, stopping)
  // However it ended: a job that fails each minute leaves as many runs as one that does not.
  if (outcome !== 'again') await trimRuns(parts.database, job.name)
  return outcome
}

async function attempt(
  { database, log, threads }: AttemptParts,
  job: JobDefinition<unknown>,
  delivery: { id: string; data: unknown },
  stopping: AbortSignal,
): Promise<Outcome> {
  const canRepeat = job.afterCrash === 'again'
  const beginning = await inTransaction(database, async (db) => {
    const begun = await beginRun(db, { id: delivery.id, name: job.name }, canRepeat)
    if (begun.kind === 'interrupted') await job.onGivenUp?.(db, { runId: delivery.id, data: delivery.data })
    return begun
  })
  if (beginning.kind === 'over') return 'over'
  if (beginning.kind === 'interrupted') return 'failed'
  const run: Attempt = { runId: delivery.id, attempt: beginning.attempt }
  try {
    const work = { ...run, data: delivery.data }
    await (job.apart && threads
      ? threads.run({ job: job.name, ...work }, stopping)
      : runWork(database, job, work, stopping))
    await finishRun(database, run, 'done')
    return 'over'
  } catch (error) {
    if (error instanceof JobInterrupted) return endInterrupted(database, run, error, canRepeat)
    if (isDatabaseDown(error)) throw error
    log.error({ err: error, job: job.name, runId: run.runId, attempt: run.attempt }, 'job failed')
    if (error instanceof ThreadDied) {
      await giveUp(database, job, { ...run, data: delivery.data }, error)
      return 'failed'
    }
    const isRepeated = run.attempt <= (job.retries ?? 0)
    await finishRun(database, run, isRepeated ? 'queued' : 'failed', wordsOf(error))
    return isRepeated ? 'again' : 'failed'
  }
}

/** Not tried again: what has ended a thread would end the next one. */
async function giveUp(
  database: Database,
  job: JobDefinition<unknown>,
  { data, ...run }: Attempt & { data: unknown },
  error: ThreadDied,
): Promise<void> {
  await inTransaction(database, async (db) => {
    if (await finishRun(db, run, 'failed', wordsOf(error)))
      await job.onGivenUp?.(db, { runId: run.runId, data, death: error.death })
  })
}

async function endInterrupted(
  database: Database,
  attempt: Attempt,
  { reason }: JobInterrupted,
  canRepeat: boolean,
): Promise<Outcome> {
  // The row belongs to the attempt that took the run over.
  if (reason === 'lost') return 'over'
  if (reason === 'cancelled') {
    await finishRun(database, attempt, 'cancelled')
    return 'over'
  }
  await finishRun(database, attempt, canRepeat ? 'queued' : 'failed', 'interrupted')
  return canRepeat ? 'again' : 'failed'
}

/**
 * Does the work, beside a heartbeat that also notices a cancellation. @throws JobInterrupted, or what the
 * work threw
 */
export async function runWork(
  database: Database,
  job: JobDefinition<unknown>,
  { data, ...attempt }: Attempt & { data: unknown },
  stopping: AbortSignal,
): Promise<void> {
  const ending = new AbortController()
  const interrupt = (reason: JobInterrupted['reason']) => ending.abort(new JobInterrupted(reason))
  const onStop = () => interrupt('stopping')
  stopping.addEventListener('abort', onStop, { once: true })
  if (stopping.aborted) onStop()

  async function save(progress: Progress | undefined): Promise<void> {
    const state = await saveProgress(database, attempt, progress)
    if (state !== 'go on') interrupt(state)
  }
  // A failed heartbeat does not end the run: the queue has a heartbeat of its own, which decides.
  const beat = setInterval(() => void save(undefined).catch(() => undefined), beatMs)
  const context: JobContext<unknown> = {
    ...attempt,
    data,
    signal: ending.signal,
    isCancelled: () => ending.signal.aborted,
    async progress(done, total, step) {
      ending.signal.throwIfAborted()
      await save({ done, total, step })
      ending.signal.throwIfAborted()
    },
  }
  try {
    await job.work(context)
  } catch (error) {
    // Work that obeys the signal may throw an error of its own, as fetch does.
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    clearInterval(beat)
    stopping.removeEventListener('abort', onStop)
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown'
}
