import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createFolderStore } from '#server/maintenance/archive/store.ts'
import { maintenanceJob, maintenanceTask } from '#server/maintenance/maintenance.ts'
import { readConfig } from '#server/platform/config.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { databaseDiskOf } from '#server/platform/file-store/disk-room.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { type Company, until, untilQuiet } from './company.ts'

/**
 * What happens by itself until the next morning: the backup of 23:00, the deletions of 3:30, and every job
 * that has a schedule. The program runs them; its own timers are too slow for a clock that is moved by hours.
 */
export async function night(company: Company, day: number): Promise<void> {
  const { clock } = company
  const { work } = await planOf(company)
  await untilQuiet(company)
  await clock.goTo(day, 23.1)
  await work(undefined)
  await untilQuiet(company)
  await clock.goTo(day + 1, 3.6)
  await work(undefined)
  await untilQuiet(company)
  const scheduled = await rows<{ name: string }>(
    company.database,
    sql`select name from pgboss.schedule order by 1`,
  )
  for (const { name } of scheduled) await runJob(company, name)
}

/** The task that begins what the plan has for a day, as another instance runs it. */
async function planOf({ database, dataDir, queue }: Company) {
  const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY: 'k'.repeat(48) }, false)
  const job = maintenanceJob({
    database,
    files: await createFileStore(config),
    store: createFolderStore(join(dataDir, 'backups')),
    databaseDisk: databaseDiskOf(config),
    cipher: undefined,
    secrets: openSecrets(config.secretKey, dataDir),
    log: createLog('silent'),
  })
  return maintenanceTask({ database, queue: () => queue, job })
}

/** Runs a scheduled job of the program once, beginning now. */
async function runJob({ database, queue }: Company, name: string): Promise<void> {
  const job: JobDefinition = { name, afterCrash: 'again', work: () => Promise.resolve() }
  // One that its schedule has begun ends first.
  const id = await until(
    `${name} does not begin`,
    () => inTransaction(database, (db) => queue.start(db, job, { data: undefined })),
    Boolean,
  )
  const [run] = await until(
    `${name} does not end`,
    () =>
      rows<{ state: string }>(
        database,
        sql`select state from job_runs where id = ${id} and finished_at is not null`,
      ),
    (found) => found.length > 0,
  )
  if (run?.state !== 'done') throw new Error(`${name} ${run?.state}`)
}
