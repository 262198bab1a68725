import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Recipes } from '../recipe.ts'
import type { Caller } from '../world/people.ts'
import type { World } from '../world/world.ts'
import { always, each, once } from './targets.ts'

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
const plan = {
  isBackupScheduled: false,
  backupTime: '23:00',
  backupsKept: 14,
  mediaDays: null,
  textDays: null,
  inboxDays: null,
  auditDays: null,
}

/** The calls of maintenance. Nothing that they begin goes on, since no jobs run. */
export const maintenanceRecipes: Recipes = {
  'GET /api/maintenance/stats': [
    { what: 'the figures', status: 200, targets: always('/api/maintenance/stats') },
  ],
  'GET /api/maintenance/backups': [
    { what: 'all of them', status: 200, targets: always('/api/maintenance/backups') },
  ],
  'POST /api/maintenance/backup': [
    {
      what: 'a new one',
      status: 201,
      targets: always('/api/maintenance/backup', { name: 'Backup', type: 'complete' }),
    },
  ],
  'DELETE /api/maintenance/backups/{id}': [
    {
      what: 'one that is completed',
      status: 204,
      targets: each(backups('completed'), (id) => ({ path: `/api/maintenance/backups/${id}` })),
    },
    {
      what: 'one in progress',
      status: 409,
      targets: each(backups('processing'), (id) => ({ path: `/api/maintenance/backups/${id}` })),
    },
  ],
  'GET /api/maintenance/download/{backupId}': [
    {
      what: 'one that has failed',
      status: 409,
      targets: once(async (world) => ({ path: `/api/maintenance/download/${await made(world, 'failed')}` })),
    },
  ],
  'POST /api/maintenance/restore/{backupId}/preview': [
    {
      what: 'both parts',
      status: 201,
      targets: each(backups('completed'), (id) => ({
        path: `/api/maintenance/restore/${id}/preview`,
        body: both,
      })),
    },
  ],
  'POST /api/maintenance/restore/{backupId}': [
    {
      what: 'both parts',
      status: 201,
      targets: each(backups('completed'), (id) => ({ path: `/api/maintenance/restore/${id}`, body: both })),
    },
  ],
  'POST /api/maintenance/runs/{runId}/stop': [
    {
      what: 'one that waits',
      status: 204,
      targets: each(runs, (id) => ({ path: `/api/maintenance/runs/${id}/stop` })),
    },
  ],
  'POST /api/maintenance/cleanup/preview': [
    { what: 'a month', status: 200, targets: always('/api/maintenance/cleanup/preview', longAgo) },
  ],
  'POST /api/maintenance/cleanup': [
    { what: 'a month', status: 200, targets: always('/api/maintenance/cleanup', longAgo) },
  ],
  'GET /api/maintenance/plan': [
    { what: 'what is planned', status: 200, targets: always('/api/maintenance/plan') },
  ],
  'PUT /api/maintenance/plan': [
    { what: 'nothing', status: 200, targets: always('/api/maintenance/plan', plan) },
  ],
  'POST /api/maintenance/plan/preview': [
    { what: 'nothing', status: 200, targets: always('/api/maintenance/plan/preview', plan) },
  ],
}
