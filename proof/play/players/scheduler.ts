import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Agenda } from './agenda.ts'
import { type DayMs, dayLengthMs, minuteMs, secondMs } from '../plan/day.ts'
import type { Application } from './application.ts'
import { inQueue } from './operators.ts'

/** How often due jobs run. Every second would give the same result at many times the cost. */
const tickMs = 30 * secondMs
export const inactivityEveryMs = tickMs
const minuteTicks = minuteMs / tickMs
/** Time after the last hour for what is still in progress. */
const restMs = 10 * minuteMs

/** The length of the FILA at a time, and who is available. */
export interface Sample {
  at: DayMs
  queue: number
  /** Operators who are connected and not 'Ausente'. */
  online: number
}

export interface SchedulerParts {
  database: Database
  agenda: Agenda
  nowMs: () => DayMs
  /** The running application; a closed one does nothing. */
  current: () => Application | undefined
  online: () => number
}

/**
 * Runs the jobs and the gateway watch on the day's clock.
 * @returns `begin`, to be called for each new application: it runs everything at once and then periodically
 */
export function createScheduler({ database, agenda, nowMs, current, online }: SchedulerParts): {
  samples: Sample[]
  begin(application: Application): Promise<void>
} {
  const samples: Sample[] = []
  /** When each job last ran, also before a restart. */
  const doneAt = new Map<string, DayMs>()

  const work = async ({ jobs }: Application) => {
    for (const { name, everyMs, work: doIt } of jobs) {
      const before = doneAt.get(name)
      const idleMs = before === undefined ? undefined : nowMs() - before
      if (idleMs !== undefined && idleMs < everyMs * 0.9) continue
      await doIt(idleMs)
      doneAt.set(name, nowMs())
    }
  }
  const tick = async (application: Application, count: number) => {
    if (application !== current()) return
    if (count % minuteTicks === 0) await application.lookAtGateway()
    await work(application)
    if (count % minuteTicks === 0)
      samples.push({ at: nowMs(), queue: await countQueue(database), online: online() })
    const next = nowMs() + tickMs
    if (next < dayLengthMs + restMs) agenda.note(next, () => tick(application, count + 1))
  }
  return { samples, begin: (application) => tick(application, 0) }
}

async function countQueue(database: Database): Promise<number> {
  const [row] = await rows<{ n: number }>(
    database,
    sql`select count(*)::int as n from conversations v where ${inQueue}`,
  )
  return row?.n ?? 0
}
