import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import { combineWorkers, createWorker, type Worker } from './worker.ts'

/**
 * Short work that is repeated every few seconds by one instance at a time. What runs once a minute or less
 * often, or for long, is a background job instead.
 */
export interface PeriodicTask {
  name: string
  everyMs: number
  /**
   * Every effect has to hold even when two instances run at once: a lease says which one should, never which
   * one may.
   * @param idleMs since any instance last completed it; undefined: never
   */
  work(idleMs: number | undefined): Promise<void>
}

/** An instance that took a task and died keeps it from the others for no longer. */
const leaseMs = 30_000

/**
 * Runs the tasks on any number of instances: a row of each in the table `jobs` says who has it, and when it
 * was last completed.
 * @see reliability F-25
 */
export function startPeriodicTasks(database: Database, log: Log, tasks: readonly PeriodicTask[]): Worker {
  return combineWorkers(
    tasks.map((task) =>
      createWorker({
        name: task.name,
        database,
        log,
        pollMs: task.everyMs,
        async work() {
          await runIfDue(database, task)
          return 'idle'
        },
      }),
    ),
  )
}

/** Runs the task if it is due and no other instance has it. @returns whether it ran */
export async function runIfDue(database: Database, { name, everyMs, work }: PeriodicTask): Promise<boolean> {
  const [taken] = await rows<{ idleMs: number | null }>(
    database,
    sql`insert into jobs as j (name, lease_until) values (${name}, now() + ${leaseMs} * interval '1 millisecond')
        on conflict (name) do update set lease_until = excluded.lease_until
         where j.lease_until <= now()
           and (j.done_at is null or j.done_at <= now() - ${everyMs * 0.9} * interval '1 millisecond')
        returning (extract(epoch from now() - j.done_at) * 1000)::float8 as "idleMs"`,
  )
  if (!taken) return false
  try {
    await work(taken.idleMs ?? undefined)
    await database.execute(sql`update jobs set done_at = now(), lease_until = now() where name = ${name}`)
  } catch (error) {
    // Another instance may succeed where this one failed.
    await database
      .execute(sql`update jobs set lease_until = now() where name = ${name}`)
      .catch(() => undefined)
    throw error
  }
  return true
}
