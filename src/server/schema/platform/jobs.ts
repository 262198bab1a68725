import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { appNow, at, oneOf } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { table } from '#server/schema/declare/table.ts'
import { minutes } from '#server/schema/declare/waits.ts'
import { users } from '#server/schema/users.ts'

/**
 * Short periodic tasks, each run by one instance at a time, and when the clock was last found set back. Times
 * are those of now().
 */
export const jobs = table(
  'jobs',
  {
    name: text('name').primaryKey(),
    /** Until then the task belongs to the instance that claimed it. */
    leaseUntil: at('lease_until')
      .notNull()
      .default(sql`now()`),
    /** When it was last completed. */
    doneAt: at('done_at'),
  },
  {
    backup: momentary,
    ends: { bounded: 'by the tasks of the program' },
    waits: { leases: { leaseUntil: minutes(0.5) }, past: ['doneAt'] },
    other: 'name leaseUntil doneAt',
  },
)

/**
 * `queued`: no instance runs it yet, or it was interrupted and will run again. `failed`: it threw, or was
 * interrupted and must not run again.
 */
const jobRunStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/**
 * Runs of background jobs, with their progress. The queue itself belongs to pg-boss, in a schema of its own.
 */
export const jobRuns = table(
  'job_runs',
  {
    /** The job's id in the queue. */
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    state: text('state', { enum: jobRunStates }).notNull(),
    /** Number of attempts; only the latest may write here. */
    attempt: integer('attempt').notNull().default(0),
    /** How many attempts, one after the other, died with their process before any progress. */
    stalled: integer('stalled').notNull().default(0),
    /** The current step, described by the job. */
    step: text('step'),
    /** Progress towards `total`, in the job's unit. */
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    total: bigint('total', { mode: 'number' }),
    /** null: scheduled. */
    startedBy: integer('started_by').references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
    startedAt: at('started_at'),
    /** By now(): the last sign of life of the process that runs it. */
    heartbeatAt: at('heartbeat_at'),
    cancelRequestedAt: at('cancel_requested_at'),
    finishedAt: at('finished_at'),
    error: text('error'),
  },
  {
    backup: momentary,
    ends: { bounded: 'by fifty of each job, besides those under way' },
    waits: { past: ['heartbeatAt'], where: sql`t.state = 'running'` },
    other: `
      id name state attempt stalled step done total startedBy createdAt startedAt heartbeatAt
      cancelRequestedAt finishedAt error
    `,
  },
  (t) => [
    index('job_runs_of_name').on(t.name, t.createdAt),
    check('job_runs_state', oneOf(t.state, jobRunStates)),
  ],
)
