import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { createBackupStore } from '#server/maintenance/maintenance.ts'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { each, once, plain } from '../access/targets.ts'

/** Inserts a backup of which nothing is in the store. @returns its id */
async function made(world: World, status: 'processing' | 'completed' | 'failed'): Promise<number> {
  const [row] = await rows<{ id: number }>(
    world.database,
    sql`insert into maintenance_backups (name, status, file_path, size, completed_at)
        values ('Backup', ${status}, ${randomBytes(24).toString('base64url')},
                case when ${status} = 'completed' then 1024 end,
                case when ${status} = 'completed' then app_now() end) returning id`,
  )
  return row?.id ?? 0
}

/** Stores a backup of one member. @returns its id */
async function stored(world: World): Promise<number> {
  const id = await made(world, 'completed')
  const [row] = await rows<{ folder: string }>(
    world.database,
    sql`select file_path as folder from maintenance_backups where id = ${id}`,
  )
  const store = createBackupStore(world.at.config)
  await store.write(row?.folder ?? '', 'layout', Readable.from([Buffer.from('')]))
  return id
}

const backups =
  (status: 'processing' | 'completed' | 'failed') => async (world: World, callers: readonly Caller[]) => {
    const ids: number[] = []
    for (const _caller of callers) ids.push(await made(world, status))
    return ids
  }

/** A run for each caller that waits for its turn. */
async function runs(world: World, callers: readonly Caller[]): Promise<string[]> {
  const ids = callers.map(() => randomUUID())
  await world.database.execute(
    sql`with made as (insert into job_runs (id, name, state)
                      select id, 'maintenance', 'queued' from unnest(${sql.param(ids)}::uuid[]) id
                      returning id)
        insert into maintenance_runs (id, kind) select id, 'cleanup' from made`,
  )
  return ids
}

const both = { restoreComplete: true, restoreSettings: true }
const longAgo = { dateFrom: '2001-01-01', dateTo: '2001-01-31' }
/** Another one than the usual. */
const plan = {
  isBackupScheduled: false,
  backupTime: '23:00',
  backupsKept: 13,
  mediaDays: null,
  textDays: null,
  inboxDays: null,
  auditDays: null,
}

/** A run of maintenance that waits for its turn. */
const run = '+audit_logs +job_runs +maintenance_runs'

/** The calls of maintenance. Nothing that they begin goes on, since no jobs run. */
export const recipes = {
  'GET /api/maintenance/stats': plain('the figures'),
  'GET /api/maintenance/backups': plain('all of them'),
  'POST /api/maintenance/backup': changing(
    { ...plain('a new one', { name: 'Backup', type: 'complete' }), status: 201 },
    run,
    '+maintenance_backups maintenance_backups.run_id',
  ),
  'DELETE /api/maintenance/backups/{id}': changing(
    [
      { what: 'one that is completed', status: 204, targets: each(backups('completed'), (id) => id) },
      { what: 'one in progress', status: 409, targets: each(backups('processing'), (id) => id) },
    ],
    '+audit_logs -maintenance_backups',
  ),
  'GET /api/maintenance/download/{backupId}': [
    { what: 'one that is completed', status: 200, targets: once(stored) },
    { what: 'one that has failed', status: 409, targets: once((world) => made(world, 'failed')) },
  ],
  'POST /api/maintenance/restore/{backupId}/preview': changing(
    { what: 'both parts', status: 201, targets: each(backups('completed'), (id) => ({ id, body: both })) },
    run,
  ),
  'POST /api/maintenance/restore/{backupId}': changing(
    { what: 'both parts', status: 201, targets: each(backups('completed'), (id) => ({ id, body: both })) },
    run,
  ),
  'POST /api/maintenance/runs/{runId}/stop': changing(
    { what: 'one that waits', status: 204, targets: each(runs, (id) => id) },
    '+audit_logs maintenance_runs.error',
  ),
  'POST /api/maintenance/cleanup/preview': changing(plain('a month', longAgo)),
  'POST /api/maintenance/cleanup': changing(plain('a month', longAgo), run),
  'GET /api/maintenance/plan': plain('what is planned'),
  'PUT /api/maintenance/plan': changing(
    plain('nothing', plan),
    '+audit_logs +maintenance_plans maintenance_plans.plan maintenance_plans.updated_at',
  ),
  'POST /api/maintenance/plan/preview': changing(plain('nothing', plan)),
} satisfies Recipes

const neverRun = '3f0c6f1e-8a4b-4c8e-9d0a-0f6b7f3a2c12'

export const things = {
  // Administrators alone see them.
  backup: ofRow(
    () => sql`insert into maintenance_backups (name, status, file_path)
          values ('Alheio', 'failed', 'folder-of-somebody-else') returning id`,
  ),
  run: () => Promise.resolve({ foreign: neverRun, archived: neverRun, deleted: neverRun, never: neverRun }),
} satisfies MakeThings
