import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '../log.ts'
import { defineJob } from './job-definition.ts'
import { startJobQueue } from './job-queue.ts'

// A process that takes the jobs of a test, reports them, and never ends them: the test kills it.

const log = createLog('silent')
const database = openDatabase({ connection: JSON.parse(process.argv[2] ?? '{}') as object, log, poolSize: 4 })
const jobs = (['again', 'fail'] as const).map((afterCrash) =>
  defineJob<object>({
    name: `crash-${afterCrash}`,
    afterCrash,
    async work({ progress }) {
      await progress(1, 10, 'first')
      process.send?.(afterCrash)
      await wait(60_000)
    },
  }),
)
startJobQueue({ database, log }, jobs)
