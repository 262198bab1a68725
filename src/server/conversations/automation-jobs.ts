import type { Database } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { PeriodicTask } from '#server/platform/work/periodic.ts'
import { trimOver } from '#server/conversations/acts/trim-over.ts'
import { trimPending } from '#server/conversations/messages/changes.ts'
import { trimTombstones } from '#server/conversations/messages/tombstones.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { returnFromPauses } from '#server/conversations/automatic/return-from-pauses.ts'
import { queueUndecided, trimCancelled } from '#server/conversations/automatic/choice-expiry.ts'
import { distribute, sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { returnFromHold } from '#server/conversations/snoozing/returns.ts'
import { sendAllDue, trimScheduled } from '#server/conversations/scheduled-sending/due.ts'
import { trimUndone } from '#server/conversations/outgoing/change-sent.ts'

/** Intervals in milliseconds. */
export interface JobTimes {
  queueMs: number
  inactivityMs: number
  scheduledMs: number
}

const usualTimes: JobTimes = { queueMs: 1000, inactivityMs: 5000, scheduledMs: 1000 }
/** When no instance has run the task for this time, all of them were down. */
const awayAfterMs = 2 * 60_000

/** Tasks that run every few seconds: the queue, silent conversations, and what is due to be sent. */
export function automationJobs(database: Database, times: JobTimes = usualTimes): PeriodicTask[] {
  return [
    {
      name: 'queue',
      everyMs: times.queueMs,
      async work() {
        await returnFromPauses(database)
        await distribute(database)
        await sendPositions(database)
      },
    },
    { name: 'hold', everyMs: times.queueMs, work: () => returnFromHold(database) },
    {
      name: 'inactivity',
      everyMs: times.inactivityMs,
      work: (idleMs) => closeSilent(database, idleMs === undefined || idleMs > awayAfterMs),
    },
    { name: 'scheduled', everyMs: times.scheduledMs, work: () => sendAllDue(database) },
  ]
}

/** Jobs that run once a minute or less often. */
export function conversationJobs(database: Database): JobDefinition[] {
  return [
    defineJob({
      name: 'undecided-choices',
      schedule: '* * * * *',
      afterCrash: 'again',
      async work() {
        await queueUndecided(database)
        await trimCancelled(database)
      },
    }),
    defineJob({
      name: 'trim-forgotten',
      schedule: '23 * * * *',
      afterCrash: 'again',
      async work() {
        await trimTombstones(database)
        await trimUndone(database)
        await trimPending(database)
      },
    }),
    defineJob({
      name: 'trim-scheduled',
      schedule: '37 4 * * *',
      afterCrash: 'again',
      work: () => trimScheduled(database),
    }),
    defineJob({
      name: 'trim-over',
      schedule: '29 4 * * *',
      afterCrash: 'again',
      work: () => trimOver(database),
    }),
  ]
}
