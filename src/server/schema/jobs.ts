import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { appNow, at, oneOf } from './columns.ts'
import { users } from './users.ts'

/** Short periodic tasks, each run by one instance at a time. Raw clock: it paces work. */
export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  /** The instance that took it has it until then. */
  leaseUntil: at('lease_until')
    .notNull()
    .default(sql`now()`),
  /** When it was last completed. */
  doneAt: at('done_at'),
})

/**
 * `queued`: no instance runs it yet, or it was interrupted and will run again. `failed`: it threw, or was
 * interrupted and must not run again.
 */
const jobRunStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/** Runs of background jobs, with their progress. The queue itself is pg-boss's, in a schema of its own. */
export const jobRuns = pgTable(
  'job_runs',
  {
    /** The queue's id of the job. */
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    state: text('state', { enum: jobRunStates }).notNull(),
    /** Counts the times that it was begun; only the latest attempt may write here. */
    attempt: integer('attempt').notNull().default(0),
    /** What is being done, in the words of the job. */
    step: text('step'),
    /** Of `total`, in the job's own unit. */
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    total: bigint('total', { mode: 'number' }),
    /** Null when it was scheduled. */
    startedBy: integer('started_by').references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
    startedAt: at('started_at'),
    /** Raw clock. The process that runs it was alive then. */
    heartbeatAt: at('heartbeat_at'),
    cancelRequestedAt: at('cancel_requested_at'),
    finishedAt: at('finished_at'),
    error: text('error'),
  },
  (t) => [
    index('job_runs_of_name').on(t.name, t.createdAt),
    check('job_runs_state', oneOf(t.state, jobRunStates)),
  ],
)
