import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { insertRun } from '#server/platform/jobs/job-runs.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Actor } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/http/access.ts'
import { maintenanceRuns } from '#server/schema/maintenance.ts'
import type { CleanupChoice, RestoreChoice } from '#shared/maintenance/maintenance.ts'

/** A person as the one whose acts a run records. */
export const actorOf = ({ id, name, role, sessionId, source }: Who): Actor => ({
  id,
  name,
  role,
  sessionId,
  source,
})

/** What a run is to do, as its job is given it. `actor`: whose acts it records. Stored as JSON for a day. */
export type MaintenanceWork =
  | { kind: 'backup'; backupId: number; actor: Actor }
  | { kind: 'preview' | 'restore'; backupId: number; choice: RestoreChoice; actor: Actor }
  | { kind: 'cleanup'; choice: CleanupChoice; actor: Actor }
  | { kind: 'retention' }

export type Queue = Pick<JobQueue, 'ready' | 'start' | 'cancel'>

/**
 * Queues a run in the open transaction. There is one at a time, of whatever kind. In a process that runs no
 * jobs it waits for ever.
 * @returns its id
 * @throws AppError 409 while another one waits or runs
 */
export async function beginRun(
  db: Tx,
  queue: Queue | undefined,
  job: JobDefinition<MaintenanceWork>,
  work: MaintenanceWork,
  startedBy: number | undefined,
): Promise<string> {
  const id = queue
    ? await queue.start(db, job, { data: work, ...(startedBy !== undefined && { startedBy }) })
    : randomUUID()
  if (id === undefined) throw new AppError('maintenance.busy')
  if (!queue) await insertRun(db, { id, name: job.name, startedBy })
  const backupId = 'backupId' in work ? work.backupId : null
  await db.insert(maintenanceRuns).values({ id, kind: work.kind, backupId })
  return id
}
