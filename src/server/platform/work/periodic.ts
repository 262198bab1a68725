import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Log } from '../log.ts'
import { combineWorkers, createWorker, type Worker } from './worker.ts'

/**
 * Short work that one instance at a time repeats every few seconds. Work that runs once a minute or less
 * often, or for long, is a background job instead.
 */
export interface PeriodicTask {
  name: string
  everyMs: number
  /**
   * Its effects must be correct even when two instances run it at once: a lease decides which one should run
   * it, but does not exclude the other.
   * @param idleMs time since any instance last completed it; undefined: never
   */
  work(idleMs: number | undefined): Promise<void>
}

/** An instance that died with a task blocks the others for no longer than this. */
const leaseMs = 30_000

/**
 * Runs the tasks on any number of instances. A row per task in the table `jobs` has the lease and the time of
 * the last completion.
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
    sql`insert into jobs as j (name, lease_until)
         values (${name}, now() + ${leaseMs} * interval '1 millisecond')
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
