import { eq, type SQL, sql } from 'drizzle-orm'
import type { MaintenancePlan, RetentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import { countPastInAudit, erasePastFromAudit, record } from '#server/audit/audit.ts'
import { sweepFiles } from '#server/media/media.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { JobContext } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import { expiredMetadata } from '#server/schema/conversations/parts/erased-metadata.ts'
import { isOver } from '#server/schema/conversations/over.ts'
import { runProgress } from '#server/maintenance/runs/run-progress.ts'
import { maintenanceRuns } from '#server/schema/maintenance.ts'
import { readPlan } from './plan.ts'

const atOnce = 500

/** Ended so many days ago, of a conversation 'v'. */
const endedBefore = (days: number) =>
  sql`${isOver} and v.completed_at < app_now() - ${days} * interval '1 day'`

interface Period {
  step: keyof RetentionCounts
  days(plan: MaintenancePlan): number | null
  count(db: Db, days: number): Promise<number>
  /** Deletes some of what is due. @returns how much */
  erase(db: Tx, days: number): Promise<number>
}

/** A period whose rows have ids: selects those that are due, and deletes what has them. */
const periodOf = (
  step: Period['step'],
  days: Period['days'],
  { due, erase }: { due(days: number): SQL; erase(ids: SQL): SQL },
): Period => ({
  step,
  days,
  async count(db, period) {
    const [row] = await rows<{ count: number }>(
      db,
      sql`select count(*)::int as count from (${due(period)}) d`,
    )
    return row?.count ?? 0
  },
  async erase(db, period) {
    const found = await rows<{ id: number }>(db, sql`${due(period)} order by 1 limit ${atOnce}`)
    if (found.length > 0) await db.execute(erase(sql`${sql.param(found.map(({ id }) => id))}::int[]`))
    return found.length
  },
})

const periods: readonly Period[] = [
  periodOf('files', ({ mediaDays }) => mediaDays, {
    due: (days) => sql`select f.id from files f join messages m on m.id = f.message_id
                         join conversations v on v.id = m.conversation_id
                        where ${endedBefore(days)}`,
    // The message says that its file is gone; the sweep deletes the bytes.
    erase: (ids) => sql`
      with gone as (
        update files set is_erased = true, message_id = null where id = any(${ids}))
      update messages set file_url = null, version = version + 1
       where id in (select message_id from files where id = any(${ids}))`,
  }),
  periodOf('texts', ({ textDays }) => textDays, {
    due: (days) => sql`select m.id from messages m join conversations v on v.id = m.conversation_id
                        where ${endedBefore(days)} and m.message_type <> 'event'
                          and not m.metadata ?| array['isErased', 'isExpired']`,
    erase: (ids) => sql`
      with versions as (delete from message_versions where message_id = any(${ids}))
      update messages
         set content = '', file_name = null, quoted_content = null, metadata = ${expiredMetadata},
             version = version + 1
       where id = any(${ids})`,
  }),
  periodOf('inbox', ({ inboxDays }) => inboxDays, {
    due: (days) => sql`select i.id from webhook_inbox i
                        where i.processed_at is not null
                          and i.received_at < app_now() - ${days} * interval '1 day'`,
    erase: (ids) => sql`delete from webhook_inbox where id = any(${ids})`,
  }),
  {
    step: 'audit',
    days: ({ auditDays }) => auditDays,
    count: countPastInAudit,
    erase: (db, days) => erasePastFromAudit(db, days, atOnce),
  },
]

/** Counts what the periods of a plan would delete now. */
export async function previewRetention(db: Db, plan: MaintenancePlan): Promise<RetentionCounts> {
  const counts: RetentionCounts = { files: 0, texts: 0, inbox: 0, audit: 0 }
  for (const { step, days, count } of periods) {
    const period = days(plan)
    if (period !== null) counts[step] = await count(db, period)
  }
  return counts
}

/** Deletes what the periods of the plan have passed, batch by batch. */
export async function performRetention(
  { database, files, log }: { database: Database; files: FileStore; log: Log },
  attempt: Pick<JobContext<unknown>, 'runId' | 'progress'>,
): Promise<void> {
  const plan = await readPlan(database)
  const planned = await previewRetention(database, plan)
  const counts: RetentionCounts = { files: 0, texts: 0, inbox: 0, audit: 0 }
  const progress = runProgress(database, attempt)
  for (const { step, days, erase } of periods) {
    const period = days(plan)
    if (period === null) continue
    await progress.begin(step, planned[step])
    for (let count = atOnce; count === atOnce;) {
      count = await inTransaction(database, async (db) => {
        const erased = await erase(db, period)
        const retention = { ...counts, [step]: counts[step] + erased }
        await db.update(maintenanceRuns).set({ retention }).where(eq(maintenanceRuns.id, attempt.runId))
        return erased
      })
      counts[step] += count
      await progress.add(count)
    }
  }
  // What fails here, the hourly sweep does.
  await sweepFiles(database, files).catch((error: unknown) =>
    log.warn({ err: error }, 'files past their period not deleted yet'),
  )
  await inTransaction(database, (db) =>
    record(db, 'system', { action: 'maintenance.retention', details: counts }),
  )
}
