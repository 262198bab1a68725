import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

/** What a delivery of a job results in. */
export type Beginning =
  /** The run starts, as this attempt. */
  | { kind: 'run'; attempt: number }
  /** Its process died during the run, and it must not run again, or did so too often. */
  | { kind: 'interrupted' }
  /** It was cancelled, or had ended when its process died. */
  | { kind: 'over' }

/** Identifies the attempt that writes to the row of a run: only the latest may. */
export interface Attempt {
  runId: string
  attempt: number
}

/** Number of finished runs to keep of each job, newest first. */
const keptRuns = 50

/**
 * A run that ends its process also ends the other work there: after this many attempts in a row without any
 * progress it is given up.
 */
const mostStalled = 10

/** Inserts a run that waits for its turn. */
export async function insertRun(
  db: Db,
  run: { id: string; name: string; startedBy: number | undefined },
): Promise<void> {
  await db.execute(
    sql`insert into job_runs (id, name, state, started_by)
        values (${run.id}, ${run.name}, 'queued', ${run.startedBy ?? null})`,
  )
}

/**
 * Begins an attempt, and decides what to do about an earlier one. Call in a transaction.
 * @param canRepeat whether it may run again after its process died
 */
export async function beginRun(
  db: Db,
  run: { id: string; name: string },
  canRepeat: boolean,
): Promise<Beginning> {
  const [before] = await rows<{ state: string; stalled: number; isCancelled: boolean }>(
    db,
    sql`select state, stalled, cancel_requested_at is not null as "isCancelled" from job_runs
         where id = ${run.id} for update`,
  )
  const isOpen = !before || before.state === 'queued' || before.state === 'running'
  if (!isOpen) return { kind: 'over' }
  if (before?.isCancelled) {
    await endRun(db, run.id, 'cancelled')
    return { kind: 'over' }
  }
  const hasDied = before?.state === 'running'
  if (hasDied && (!canRepeat || before.stalled + 1 >= mostStalled)) {
    await endRun(db, run.id, 'failed', 'interrupted')
    return { kind: 'interrupted' }
  }
  const [row] = await rows<{ attempt: number }>(
    db,
    sql`insert into job_runs as r (id, name, state, attempt, started_at, heartbeat_at)
        values (${run.id}, ${run.name}, 'running', 1, app_now(), now())
        on conflict (id) do update set state = 'running', attempt = r.attempt + 1, started_at = app_now(),
                                       stalled = r.stalled + ${hasDied ? 1 : 0}, heartbeat_at = now(),
                                       step = null, done = 0, total = null, error = null
        returning attempt`,
  )
  if (!row) throw new Error('run not begun')
  return { kind: 'run', attempt: row.attempt }
}

export interface Progress {
  done: number
  total?: number | undefined
  step?: string | undefined
}

/**
 * Writes the heartbeat, and the progress if there is any.
 * @returns whether to continue the run: 'lost' when another attempt has taken over
 */
export async function saveProgress(
  db: Db,
  { runId, attempt }: Attempt,
  progress: Progress | undefined,
): Promise<'go on' | 'cancelled' | 'lost'> {
  const change = progress
    ? sql`, stalled = case when ${progress.done} > done then 0 else stalled end, done = ${progress.done},
               total = ${progress.total ?? null}, step = ${progress.step ?? null}`
    : sql``
  const [row] = await rows<{ isCancelled: boolean }>(
    db,
    sql`update job_runs set heartbeat_at = now() ${change}
         where id = ${runId} and attempt = ${attempt} and state = 'running'
        returning cancel_requested_at is not null as "isCancelled"`,
  )
  if (!row) return 'lost'
  return row.isCancelled ? 'cancelled' : 'go on'
}

/**
 * @param state `queued`: it was interrupted, and will run again.
 * @returns false when another attempt has taken over; then nothing happens
 */
export async function finishRun(
  db: Db,
  { runId, attempt }: Attempt,
  state: 'done' | 'failed' | 'cancelled' | 'queued',
  error?: string,
): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`update job_runs set state = ${state}, error = ${error ?? null}, heartbeat_at = now(),
               finished_at = case when ${state} = 'queued' then null else app_now() end
         where id = ${runId} and attempt = ${attempt} and state = 'running'`,
  )
  return rowCount === 1
}

/** Deletes all but the latest finished runs of a job: one that is scheduled each minute makes 1,440 a day. */
export async function trimRuns(db: Db, name: string): Promise<void> {
  await db.execute(
    sql`delete from job_runs where name = ${name} and finished_at is not null
           and created_at < (select created_at from job_runs where name = ${name} and finished_at is not null
                              order by created_at desc offset ${keptRuns - 1} limit 1)`,
  )
}

/**
 * Cancels a waiting run, or asks a running one to stop.
 * @returns its name and previous state; undefined when it is over
 */
export async function cancelRun(
  db: Db,
  runId: string,
): Promise<{ name: string; state: 'queued' | 'running' } | undefined> {
  const [run] = await rows<{ name: string; state: 'queued' | 'running' }>(
    db,
    sql`select name, state from job_runs where id = ${runId} and state in ('queued', 'running') for update`,
  )
  if (run?.state === 'queued') await endRun(db, runId, 'cancelled')
  else if (run) await db.execute(sql`update job_runs set cancel_requested_at = app_now() where id = ${runId}`)
  return run
}

async function endRun(db: Db, runId: string, state: 'failed' | 'cancelled', error?: string): Promise<void> {
  await db.execute(
    sql`update job_runs set state = ${state}, finished_at = app_now(), error = ${error ?? null}
         where id = ${runId}`,
  )
}
