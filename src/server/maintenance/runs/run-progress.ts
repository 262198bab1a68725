import { sql } from 'drizzle-orm'
import type { MaintenanceStep } from '#shared/maintenance/maintenance.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { JobContext } from '#server/platform/jobs/job-definition.ts'
import { heapKeeper } from '#server/platform/memory.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'

/** How often it is written, in milliseconds. */
const everyMs = 300

/** Writes the progress of a run where the screen reads it, and keeps the heap small meanwhile. */
export function runProgress(
  database: Database,
  attempt: Pick<JobContext<unknown>, 'runId' | 'progress'>,
): Progress {
  let step: MaintenanceStep | undefined
  let done = 0
  let total: number | undefined
  let writtenMs = 0
  const keepHeap = heapKeeper()
  return {
    async begin(next, of) {
      keepHeap()
      step = next
      done = 0
      total = of
      writtenMs = performance.now()
      await database.execute(
        sql`update maintenance_runs set step = ${next}, step_at = app_now() where id = ${attempt.runId}`,
      )
      await attempt.progress(0, of, next)
    },
    async add(count) {
      keepHeap()
      done += count
      if (performance.now() - writtenMs < everyMs) return
      writtenMs = performance.now()
      await attempt.progress(done, total, step)
    },
  }
}
