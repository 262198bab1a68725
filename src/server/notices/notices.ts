import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { type DiskSpace, findLocal, findShared, isDiskLow, measureDisk, ownSubject } from './conditions.ts'
import { recordConditions, trimNotices } from './record-conditions.ts'

export { type DiskSpace, isDiskLow, measureDisk }

export interface NoticeOptions {
  /** How often this process looks for troubles. */
  everyMs: number
  /** Measures the disk of a folder. */
  measureDisk: (folder: string) => Promise<DiskSpace>
}

const usual: NoticeOptions = { everyMs: 10_000, measureDisk }

/**
 * Looks for troubles of the installation, in every process: some of them concern its own machine, and the
 * others all find alike.
 */
export function startNoticeWatch(
  { database, config, log }: { database: Database; config: Config; log: Log },
  options: Partial<NoticeOptions> = {},
): Worker {
  const { everyMs, measureDisk: measure } = { ...usual, ...options }
  return createWorker({
    name: 'notices',
    database,
    log,
    // A number that is back is no trouble any more.
    channel: 'connected',
    pollMs: everyMs,
    failureLevel: 'warn',
    async work() {
      const [shared, disk] = await Promise.all([findShared(database), measure(config.dataDir)])
      await recordConditions(database, [...shared, ...findLocal(config, disk)], ownSubject(config))
      return 'idle'
    },
  })
}

export function trimNoticesJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-notices',
    schedule: '41 * * * *',
    afterCrash: 'again',
    work: () => trimNotices(database),
  })
}
