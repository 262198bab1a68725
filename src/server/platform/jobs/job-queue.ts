import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { fromDrizzle, Job, PgBoss, QueueResult } from 'pg-boss'
import { type Database, isDatabaseDown, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import { attemptJob } from './job-attempt.ts'
import type { JobDefinition } from './job-definition.ts'
import { cancelRun, insertRun } from './job-runs.ts'
import { jobSchema } from './job-schema.ts'
import { createWorker, type WorkerHealth } from '../work/worker.ts'

/** The queue of long and scheduled work, over all instances. */
export interface JobQueue {
  /**
   * Resolves when the queue works, a moment after the start. Await it before the transaction that starts a
   * run.
   */
  ready(): Promise<void>
  /**
   * Queues a run in the open transaction: it exists once that commits, and never when it rolls back.
   * @returns the id of the run; undefined when the job is a singleton and one waits or runs already
   * @throws when the queue is not ready
   */
  start<Data>(
    db: Tx,
    job: JobDefinition<Data>,
    run: { data: Data; startedBy?: number },
  ): Promise<string | undefined>
  /**
   * Cancels a run: one that waits never begins, one that runs stops with its next progress, or within five
   * seconds if it heeds its signal.
   * @returns false when it was over
   * @throws when the queue is not ready
   */
  cancel(db: Tx, runId: string): Promise<boolean>
  /**
   * Begins nothing new and tells the runs that are under way to end. Those that have not ended after ten
   * seconds are handed over as if this process had crashed.
   */
  stop(): Promise<void>
  health(): WorkerHealth[]
}

const stopWithinMs = 10_000
/**
 * The least that pg-boss allows. With supervision every 5 s a dead process is noticed within 15 s, in 13 as a
 * rule.
 */
const heartbeatSeconds = 10
/** A process that dies of a job takes others with it; after so many times the job is given up. */
const mostDeliveries = 10

const queueOptions = {
  heartbeatSeconds,
  // Also of a job that must not run again: only by a delivery is it seen that its process died.
  retryLimit: mostDeliveries,
  retryDelay: 0,
  retryBackoff: false,
  // The longest that pg-boss allows is a day.
  expireInSeconds: 23 * 3600,
  deleteAfterSeconds: 24 * 3600,
}

/** Whether the queue was made with other options, by another version of the program. */
function isChanged(queue: QueueResult): boolean {
  return Object.entries(queueOptions).some(
    ([name, value]) => queue[name as keyof typeof queueOptions] !== value,
  )
}

/** Runs the jobs that the rooms declare. pg-boss is loaded by it, a while after the start. */
export function startJobQueue(
  parts: { database: Database; log: Log },
  jobs: readonly JobDefinition<never>[],
): JobQueue {
  const { database, log } = parts
  const stopping = new AbortController()
  const ready = Promise.withResolvers<void>()
  let running: Running | undefined

  /** Starts pg-boss when it does not run yet, and makes its workers look for runs. */
  async function work(): Promise<'idle'> {
    running ??= await startBoss(parts)
    if (running.workerIds.length < jobs.length)
      running.workerIds = await registerJobs(running.boss, parts, jobs, stopping.signal)
    ready.resolve()
    for (const id of running.workerIds) running.boss.notifyWorker(id)
    return 'idle'
  }
  const worker = createWorker({
    name: 'jobs',
    database,
    log,
    channel: 'jobs',
    pollMs: 60_000,
    retryMs: 1000,
    work,
  })

  function runningNow(): Running {
    // Waiting here would hold the connection of the transaction, and the start needs some itself.
    if (!running || running.workerIds.length < jobs.length) throw new Error('the job queue is not ready')
    return running
  }

  return {
    ready: () => ready.promise,
    async start(db, job, { data, startedBy }) {
      const { boss, fromDrizzle } = runningNow()
      const id = randomUUID()
      const sent = await boss.send(job.name, { data }, { id, db: fromDrizzle(db, sql) })
      if (sent === null) return undefined
      await insertRun(db, { id, name: job.name, startedBy })
      db.signal('jobs')
      return id
    },
    async cancel(db, runId) {
      const { boss, fromDrizzle } = runningNow()
      const run = await cancelRun(db, runId)
      if (run?.state === 'queued') await boss.cancel(run.name, runId, { db: fromDrizzle(db, sql) })
      return run !== undefined
    },
    async stop() {
      stopping.abort()
      await worker.stop()
      await running?.boss.stop({ graceful: true, timeout: stopWithinMs })
    },
    health: worker.health,
  }
}

/** pg-boss, loaded and started. */
interface Running {
  boss: PgBoss
  fromDrizzle: typeof fromDrizzle
  /** Empty until the queues of the jobs are there. */
  workerIds: string[]
}

async function startBoss({ database, log }: { database: Database; log: Log }): Promise<Running> {
  const { PgBoss, fromDrizzle } = await import('pg-boss')
  const boss = new PgBoss({
    // Our pool: its own would double the connections.
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: jobSchema,
    // Done under the lock of the migrations, so that instances that start together do not race.
    migrate: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    cronMonitorIntervalSeconds: 10,
    // Jobs that wait for other jobs: we have none.
    flowIntervalSeconds: 3600,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => {
    const err = error instanceof Error ? error : Object.assign(new Error('unknown'), error)
    log[isDatabaseDown(err) ? 'debug' : 'error']({ err }, 'job queue failed')
  })
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue warns'))
  try {
    await boss.start()
  } catch (error) {
    // What has begun before it failed would go on beside the next one.
    await boss.stop({ graceful: false })
    throw error
  }
  return { boss, fromDrizzle, workerIds: [] }
}

/**
 * Makes the queues of the jobs, writes their schedules, and begins to work. @returns the ids of the workers
 */
async function registerJobs(
  boss: PgBoss,
  parts: { database: Database; log: Log },
  jobs: readonly JobDefinition<never>[],
  stopping: AbortSignal,
): Promise<string[]> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const job of jobs) {
    const queue = known.get(job.name)
    if (!queue) {
      const policy = job.singleton || job.schedule ? 'exclusive' : 'standard'
      await boss.createQueue(job.name, { policy, ...queueOptions })
    } else if (isChanged(queue)) await boss.updateQueue(job.name, queueOptions)
    // Has its queue read now, and not by whoever starts the first run, on a second connection.
    await boss.getJobById(job.name, randomUUID())
    if (job.schedule) await boss.schedule(job.name, job.schedule, null, { tz: 'UTC' })
  }
  // What is started by hand begins at once, by a signal; only what a dead process left waits for the poll.
  const options = { pollingIntervalSeconds: 2, perJobResults: true } as const
  return Promise.all(
    jobs.map((job) =>
      boss.work<{ data?: unknown } | null>(job.name, options, (deliveries) =>
        Promise.all(deliveries.map((delivery) => deliver(parts, job, delivery, stopping))),
      ),
    ),
  )
}

async function deliver(
  parts: { database: Database; log: Log },
  job: JobDefinition<never>,
  { id, data }: Job<{ data?: unknown } | null>,
  stopping: AbortSignal,
) {
  const outcome = await attemptJob(parts, job as JobDefinition<unknown>, { id, data: data?.data }, stopping)
  // Of these words 'failed' means to try again, and 'deadletter' not to.
  const status = ({ over: 'completed', again: 'failed', failed: 'deadletter' } as const)[outcome]
  return { id, status }
}
