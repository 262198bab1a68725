import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { fromDrizzle, Job, PgBoss, QueueResult } from 'pg-boss'
import { type Database, isDatabaseDown, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import { attemptJob } from './job-attempt.ts'
import type { JobDefinition } from './job-definition.ts'
import { cancelRun, insertRun } from './job-runs.ts'
import { jobSchema } from './job-schema.ts'
import type { JobThreads } from './job-threads.ts'
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
   * @returns the id of the run; undefined when the job is a singleton and one is already waiting or running
   * @throws when the queue is not ready
   */
  start<Data>(
    db: Tx,
    job: JobDefinition<Data>,
    run: { data: Data; startedBy?: number },
  ): Promise<string | undefined>
  /**
   * Cancels a run: a waiting one never starts, a running one stops with its next progress, or within five
   * seconds if it obeys its signal.
   * @returns false when it was over
   * @throws when the queue is not ready
   */
  cancel(db: Tx, runId: string): Promise<boolean>
  /**
   * Starts nothing new and tells the current runs to end. Those that have not ended after ten seconds are
   * handed over as if this process had crashed.
   */
  stop(): Promise<void>
  health(): WorkerHealth[]
}

const stopWithinMs = 10_000
/**
 * The minimum of pg-boss. With supervision every 5 s a dead process is noticed within 15 s, usually after 13.
 */
const heartbeatSeconds = 10

const queueOptions = {
  heartbeatSeconds,
  // `beginRun` decides how often: only a delivery reveals that the process died.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  // The maximum of pg-boss is a day.
  expireInSeconds: 23 * 3600,
  deleteAfterSeconds: 24 * 3600,
}

/** Whether the queue was created with other options, by another version of the program. */
function isChanged(queue: QueueResult): boolean {
  return Object.entries(queueOptions).some(
    ([name, value]) => queue[name as keyof typeof queueOptions] !== value,
  )
}

interface QueueParts {
  database: Database
  log: Log
  /** For the jobs whose runs have a thread of their own; without it they run in this one. */
  threads?: JobThreads | undefined
}

/** Runs the jobs that the rooms declare. Loads pg-boss a while after the start. */
export function startJobQueue(parts: QueueParts, jobs: readonly JobDefinition<never>[]): JobQueue {
  const { database, log } = parts
  const stopping = new AbortController()
  const ready = Promise.withResolvers<void>()
  let running: Running | undefined

  /** Starts pg-boss if it is not running, and makes its workers look for runs. */
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
    // Waiting here would hold the transaction's connection, while the start itself needs some.
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
      await parts.threads?.stop()
    },
    health: worker.health,
  }
}

/** pg-boss, loaded and started. */
interface Running {
  boss: PgBoss
  fromDrizzle: typeof fromDrizzle
  /** Empty until the queues of the jobs exist. */
  workerIds: string[]
}

async function startBoss({ database, log }: QueueParts): Promise<Running> {
  const { PgBoss, fromDrizzle } = await import('pg-boss')
  const boss = new PgBoss({
    // Our pool: a second one would double the connections.
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: jobSchema,
    // Done under the lock of the migrations, so that instances that start together do not race.
    migrate: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    cronMonitorIntervalSeconds: 10,
    // For jobs that depend on other jobs, of which we have none.
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
    // The parts that have started would otherwise run beside those of the next attempt.
    await boss.stop({ graceful: false })
    throw error
  }
  return { boss, fromDrizzle, workerIds: [] }
}

/**
 * Creates the queues of the jobs, writes their schedules, and starts the workers. @returns the ids of the
 * workers
 */
async function registerJobs(
  boss: PgBoss,
  parts: QueueParts,
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
    // Makes pg-boss read the queue now, and not during the first start on a second connection.
    await boss.getJobById(job.name, randomUUID())
    if (job.schedule) await boss.schedule(job.name, job.schedule, null, { tz: 'UTC' })
  }
  // Runs that are started by hand begin at once, by a signal; the poll is for those of dead processes.
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
  parts: QueueParts,
  job: JobDefinition<never>,
  { id, data }: Job<{ data?: unknown } | null>,
  stopping: AbortSignal,
) {
  const outcome = await attemptJob(parts, job as JobDefinition<unknown>, { id, data: data?.data }, stopping)
  // For pg-boss 'failed' means to try again, and 'deadletter' not to.
  const status = ({ over: 'completed', again: 'failed', failed: 'deadletter' } as const)[outcome]
  return { id, status }
}
