import type { Database } from '#server/platform/db.ts'
import type { Job } from '#server/platform/jobs.ts'
import { closeSilent } from './inactivity.ts'
import { endUndecided } from './receive.ts'
import { trimCancelled } from './pre-attendance.ts'
import { distribute, tellPositions } from './queue-turns.ts'

/** How often is looked, in milliseconds. */
export interface JobTimes {
  queueMs: number
  silenceMs: number
  choiceMs: number
}

const usual: JobTimes = { queueMs: 1000, silenceMs: 5000, choiceMs: 60_000 }
/** Nobody has looked for so long: all of us were down. */
const awayAfterMs = 2 * 60_000

/** What happens to conversations while nobody touches them. */
export function automationJobs(database: Database, times: JobTimes = usual): Job[] {
  return [
    {
      name: 'queue',
      everyMs: times.queueMs,
      async work() {
        await distribute(database)
        await tellPositions(database)
      },
    },
    {
      name: 'silence',
      everyMs: times.silenceMs,
      work: (idleMs) => closeSilent(database, idleMs === undefined || idleMs > awayAfterMs),
    },
    {
      name: 'choice',
      everyMs: times.choiceMs,
      async work() {
        await endUndecided(database)
        await trimCancelled(database)
      },
    },
  ]
}
