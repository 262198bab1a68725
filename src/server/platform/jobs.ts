import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, isDatabaseDown, rows } from './db.ts'
import type { Log } from './log.ts'

/** Something that is done again and again, by one instance at a time. */
export interface Job {
  name: string
  everyMs: number
  /**
   * Each effect has to hold even when two do it at once: a lease says who should, and never who may.
   * @param idleMs since it was last done to its end, by any instance; undefined: never
   */
  work(idleMs: number | undefined): Promise<void>
}

export interface Jobs {
  /** Nothing new is begun; resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** Whoever took a job and died holds up the others for no longer. */
const leaseMs = 30_000

/**
 * Runs jobs on any number of instances: a row of each in the database says who has it, and when it was last done.
 * @see reliability F-25
 */
export function startJobs(database: Database, log: Log, jobs: readonly Job[]): Jobs {
  const stopping = new AbortController()
  const running = jobs.map(async (job) => {
    while (!stopping.signal.aborted) {
      try {
        await runOnce(database, job)
      } catch (error) {
        log[isDatabaseDown(error) ? 'debug' : 'error']({ err: error, job: job.name }, 'job failed')
      }
      await wait(job.everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Does the job, if it is due and nobody else has it. @returns whether it was done */
export async function runOnce(database: Database, { name, everyMs, work }: Job): Promise<boolean> {
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
    // Another instance may do what this one cannot.
    await database
      .execute(sql`update jobs set lease_until = now() where name = ${name}`)
      .catch(() => undefined)
    throw error
  }
  return true
}
