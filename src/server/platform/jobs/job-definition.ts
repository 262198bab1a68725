import type { Tx } from '#server/platform/database/db.ts'

/** The arguments of a job's work. */
export interface JobContext<Data> {
  /** The id in `job_runs`. */
  runId: string
  /** The data of the start; undefined for a scheduled run. */
  data: Data
  /** 1 for the first attempt, incremented with each repetition. */
  attempt: number
  /**
   * Aborted when the run is cancelled, when the program stops, and when another process has taken the run
   * over. Its reason is a JobInterrupted. A cancellation is noticed with the next progress, or within five
   * seconds.
   */
  signal: AbortSignal
  isCancelled(): boolean
  /**
   * Reports how far the run is, in a unit of its own; `total` may be unknown. Cheap enough for one call per
   * second.
   * @throws JobInterrupted once `signal` is aborted: let it pass through
   */
  progress(done: number, total?: number, step?: string): Promise<void>
}

/** `memory`: a thread needed more than it may have; `crash`: an error that nobody caught. */
export type ThreadDeath = 'memory' | 'crash'

/** Long or scheduled work, declared by the room that it belongs to. */
export interface JobDefinition<Data = undefined> {
  /** Letters, digits and hyphens. It names the queue and the runs, so it never changes. */
  name: string
  /**
   * A cron expression of five fields, in UTC. A run starts up to 20 seconds late. A missed run is not made up
   * for.
   */
  schedule?: string
  /** Whether a second run is refused while one is waiting or running. Always the case for scheduled jobs. */
  singleton?: boolean
  /** How often a run that threw is repeated; default 0. */
  retries?: number
  /**
   * What happens to a run whose process died, or stopped before the run ended. One that died ten times
   * without any progress between has failed all the same.
   */
  afterCrash: 'again' | 'fail'
  /**
   * Whether its runs have a thread of their own, in a program that has threads for jobs: long work then does
   * not hold up whatever else the program does, and what ends the thread ends the run alone.
   */
  apart?: boolean
  /**
   * In the transaction that gives up a run whose process or thread died: ends what the run was working on.
   * `death` says why the thread did; without it the process did.
   */
  onGivenUp?(db: Tx, run: { runId: string; data: Data; death?: ThreadDeath }): Promise<void>
  /**
   * Runs in one instance at a time, but again after a crash: every step must be repeatable. The data is
   * stored as JSON for a day: use ids, never message texts.
   */
  work(context: JobContext<Data>): Promise<void>
}

/** Returns the definition unchanged; it infers the type of `data` for `work` and for the start of a run. */
export function defineJob<Data = undefined>(definition: JobDefinition<Data>): JobDefinition<Data> {
  return definition
}

/** The reason to end a run before its work is done. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted'
  readonly reason: 'cancelled' | 'stopping' | 'lost'
  constructor(reason: JobInterrupted['reason']) {
    super(`the job is ${reason}`)
    this.reason = reason
  }
}
