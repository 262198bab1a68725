/** What the work of a job is given. */
export interface JobContext<Data> {
  /** As `job_runs` names it. */
  runId: string
  /** What it was started with; undefined for one that is scheduled. */
  data: Data
  /** 1 at first; counts up when it runs again. */
  attempt: number
  /**
   * Aborted when the run is cancelled, when the program stops, and when another process has taken the run
   * over. Its reason is a JobInterrupted. A cancellation is noticed with the next progress, or within five
   * seconds.
   */
  signal: AbortSignal
  isCancelled(): boolean
  /**
   * Shows how far the run is, in a unit of its own; `total` may be unknown. Cheap enough for a call a second.
   * @throws JobInterrupted as `signal` is aborted: let it pass through
   */
  progress(done: number, total?: number, step?: string): Promise<void>
}

/** Long or scheduled work, declared by the room that it belongs to. */
export interface JobDefinition<Data = undefined> {
  /** Letters, digits and hyphens. It names queue and runs, so it never changes. */
  name: string
  /**
   * A cron expression of five fields, in UTC. A run begins up to 20 seconds late. What is missed is not made
   * up for.
   */
  schedule?: string
  /** Whether a second run is refused while one waits or runs. Scheduled jobs always are. */
  singleton?: boolean
  /** How often a run that threw is begun again; 0 when absent. */
  retries?: number
  /** What becomes of a run whose process died, or stopped before the run ended. */
  afterCrash: 'again' | 'fail'
  /**
   * Runs in one instance at a time, but is begun again after a crash: every step must bear being repeated.
   * Data goes through JSON and is kept for a day: ids, never what people wrote.
   */
  work(context: JobContext<Data>): Promise<void>
}

/** Checks nothing; it makes the type of `data` known to `work` and to whoever starts it. */
export function defineJob<Data = undefined>(definition: JobDefinition<Data>): JobDefinition<Data> {
  return definition
}

/** Why a run is to end before its work is done. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted'
  readonly reason: 'cancelled' | 'stopping' | 'lost'
  constructor(reason: JobInterrupted['reason']) {
    super(`the job is ${reason}`)
    this.reason = reason
  }
}
