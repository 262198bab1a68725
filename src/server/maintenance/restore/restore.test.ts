import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Backup, MaintenanceRun } from '#shared/maintenance/maintenance.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { rowsOf } from '#server/maintenance/backup/export-tables.ts'
import { ended, type Past, writePast } from '#server/testing/past.ts'
import { rows } from '#server/platform/database/db.ts'
import { type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let t: TestApp
let admin: Client
let past: Past

beforeAll(async () => {
  t = await testApp({}, { hasJobs: true })
  admin = await t.signIn('admin', 'chefe')
  past = await writePast(t, admin.userId, 5)
})
afterAll(() => t.close())

async function makeBackup(name = 'Backup_teste'): Promise<Backup> {
  const { status, body } = await admin.request<Backup>('POST', '/api/maintenance/backup', {
    name,
    type: 'complete',
  })
  expect(status).toBe(201)
  await ended(admin, 'backup')
  const { body: all } = await admin.request<Backup[]>('GET', '/api/maintenance/backups')
  const made = all.find(({ id }) => id === body.id)
  if (!made) throw new Error('no backup')
  return made
}

async function restore(
  { id }: Backup,
  choice = { restoreComplete: true, restoreSettings: true },
  kind: 'restore' | 'preview' = 'restore',
): Promise<MaintenanceRun> {
  const path = `/api/maintenance/restore/${id}${kind === 'preview' ? '/preview' : ''}`
  const { status, body } = await admin.request<MaintenanceRun>('POST', path, choice)
  expect(status, JSON.stringify(body)).toBe(201)
  return ended(admin, kind)
}

/** Every row that a backup would have now, by table. */
async function everything(app = t): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of backedList) {
    const { rows: all } = await app.database.pool.query<{ row: string }>(
      `select r::text as row from (${rowsOf(table)}) r order by 1`,
    )
    found[table.name] = all.map(({ row }) => row)
  }
  return found
}

const deleteAll = (app = t) =>
  app.database.execute(sql.raw('delete from messages; delete from conversations'))

describe('a backup', () => {
  test('is proven before it is completed', async () => {
    const made = await makeBackup()
    expect(made).toMatchObject({
      status: 'completed',
      error: null,
      conversationsCount: 5,
      mediaFilesCount: 5,
    })
    expect(made.proof).toMatchObject({
      files: 5,
      tables: backedList.length,
      missingFiles: 0,
      damagedFiles: 0,
    })
    expect(made.proof?.rows).toBeGreaterThan(30)
    const scratch = await rows(
      t.database,
      sql`select from pg_namespace where nspname like 'balcao\\_scratch%'`,
    )
    expect(scratch).toEqual([])
  })

  test('brings everything back that was deleted, as it was', async () => {
    const before = await everything()
    const made = await makeBackup()
    await deleteAll()
    const run = await restore(made)
    expect(run).toMatchObject({ state: 'done', error: null })
    expect(await everything()).toEqual(before)
    for (const name of (await rows<{ name: string }>(t.database, sql`select name from files`)).map(
      (f) => f.name,
    ))
      expect(await t.app.files.read(name)).toBeDefined()
    expect(past.conversationIds).toHaveLength(5)
  })

  test('changes nothing where nothing is missing', async () => {
    const before = await everything()
    const made = await makeBackup()
    const preview = await restore(made, { restoreComplete: true, restoreSettings: true }, 'preview')
    expect(preview.plan?.tables.every(({ added }) => added === 0)).toBe(true)
    expect((await restore(made, { restoreComplete: true, restoreSettings: false })).state).toBe('done')
    expect(await everything()).toEqual(before)
  })
})
