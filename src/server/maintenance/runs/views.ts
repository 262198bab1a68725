import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { cleanupCounts, type MaintenanceRun } from '#shared/maintenance/maintenance.ts'
import { type RestoreCounts, restoreCounts, type RestorePlan } from '#shared/maintenance/restore-plan.ts'
import { retentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { type Db, rows } from '#server/platform/database/db.ts'

/** Columns of JSON, as whichever version wrote them. */
type Documents = Record<'plan' | 'cleanup' | 'retention', unknown>
interface Row
  extends
    Record<string, unknown>,
    Documents,
    Omit<MaintenanceRun, 'startedAt' | 'finishedAt' | keyof Documents> {
  startedAt: string | null
  finishedAt: string | null
  stepSeconds: number | null
}

/** What another version wrote in another shape is left out: one run does not take the screen away. */
const inShape = <S extends z.ZodMiniType>(schema: S, document: unknown): z.output<S> | null =>
  schema.safeParse(document).data ?? null

const labels: ReadonlyMap<string, string> = new Map(backedList.map(({ name, label }) => [name, label]))

/** With the names of the tables as they are now. One that another version had keeps its own. */
const labelled = (counts: RestoreCounts | null): RestorePlan | null =>
  counts && {
    ...counts,
    tables: counts.tables.map((one) => ({ ...one, label: labels.get(one.table) ?? one.table })),
  }

const iso = (instant: string | null) => (instant === null ? null : new Date(instant).toISOString())

/** Sooner its pace says nothing yet. */
const isUnderWay = (done: number, total: number) => done < total && done >= total / 100

/** Of each kind the last run, newest first. */
export function listRuns(db: Db): Promise<MaintenanceRun[]> {
  return read(
    db,
    sql`m.id in (select distinct on (k.kind) k.id from maintenance_runs k join job_runs j on j.id = k.id
                  order by k.kind, j.created_at desc)`,
  )
}

export async function readRun(db: Db, id: string): Promise<MaintenanceRun | undefined> {
  const [run] = await read(db, sql`m.id = ${id}`)
  return run
}

async function read(db: Db, where: ReturnType<typeof sql>): Promise<MaintenanceRun[]> {
  const found = await rows<Row>(
    db,
    sql`select m.id, m.kind, r.state, r.step, r.done::float8 as done, r.total::float8 as total,
               m.backup_id as "backupId", u.name as "startedBy", r.started_at::text as "startedAt",
               r.finished_at::text as "finishedAt", m.plan, m.cleanup, m.retention,
               case when r.state = 'failed'
                    then coalesce(m.error, 'O servidor parou antes do fim') end as error,
               extract(epoch from app_now() - m.step_at)::float8 as "stepSeconds"
          from maintenance_runs m join job_runs r on r.id = m.id left join users u on u.id = r.started_by
         where ${where}
         order by r.created_at desc`,
  )
  return found.map(({ stepSeconds, ...row }) => {
    const { state, done, total } = row
    const isPaced = state === 'running' && total !== null && stepSeconds !== null && isUnderWay(done, total)
    return {
      ...row,
      plan: labelled(inShape(restoreCounts, row.plan)),
      cleanup: inShape(cleanupCounts, row.cleanup),
      retention: inShape(retentionCounts, row.retention),
      step: state === 'running' ? row.step : null,
      startedAt: iso(row.startedAt),
      finishedAt: iso(row.finishedAt),
      secondsLeft: isPaced ? Math.ceil((stepSeconds * (total - done)) / done) : null,
    }
  })
}
