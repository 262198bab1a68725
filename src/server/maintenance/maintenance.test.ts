import { existsSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Backup, CleanupCounts, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { MaintenancePlan, StoredPlan } from '#shared/maintenance/maintenance-plan.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import {
  confirm,
  ended,
  folderOf,
  makeBackup,
  startRestore,
  writePast,
  everything,
} from '#server/testing/past.ts'
import { forAllTests, type Client, eventually, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { failureText } from '#server/maintenance/runs/failure.ts'

// Nobody's conversation ends by inactivity meanwhile.
const t = forAllTests(() => testApp({}, { ...withoutJobs, hasJobs: true, planMs: 200 }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
beforeEach(() => confirm(admin))
let disarm: (() => void) | undefined
afterEach(() => disarm?.())
const count = async (what: ReturnType<typeof sql>) => (await t.sql`select from ${what}`).length
const backups = () => admin.get<Backup[]>('/api/maintenance/backups')
const stats = () => admin.get<MaintenanceStats>('/api/maintenance/stats')
const cleanup = (body: unknown) => admin.request<CleanupCounts>('POST', '/api/maintenance/cleanup', body)
const pathOf = async (made: Backup) => join(t.config.dataDir, 'backups', await folderOf(t, made))

describe('a cleanup', () => {
  test('a cleanup deletes the conversations of these days, and their files', async () => {
    await saveSettings(t.database, { timezone: 'America/Sao_Paulo' })
    const { conversationIds } = await writePast(t, admin.userId, 4)
    const [first, second, third, fourth] = conversationIds
    const end = (id: number | undefined, at: string) =>
      t.sql`update conversations set completed_at = ${at}::timestamptz where id = ${id}`
    await end(first, '2026-03-10 02:59:59+00')
    await end(second, '2026-03-10 03:00:00+00')
    await end(third, '2026-03-12 02:59:59+00')
    await end(fourth, '2026-03-12 03:00:00+00')
    const names = await t.sql<{ name: string }>`
      select f.name from files f join messages m on m.id = f.message_id
       where m.conversation_id in (${second}, ${third})`
    const days = { dateFrom: '2026-03-10', dateTo: '2026-03-11' }
    const preview = await admin.request<{ sizeBytes: number }>(
      'POST',
      '/api/maintenance/cleanup/preview',
      days,
    )
    expect(preview.body).toMatchObject({ conversations: 2, messages: 8, files: 2 })
    expect(preview.body.sizeBytes).toBeGreaterThan(2000)
    expect(await cleanup(days)).toMatchObject({
      status: 200,
      body: { deletedConversations: 2, deletedMessages: 8, deletedFiles: 2, isFinished: true },
    })
    expect(await count(sql`conversations where id in (${second}, ${third})`)).toBe(0)
    expect(await count(sql`conversations where id in (${first}, ${fourth})`)).toBe(2)
    for (const { name } of names) expect(await t.app.files.read(name)).toBeUndefined()
    expect(await count(sql`files where name in (${names[0]?.name}, ${names[1]?.name})`)).toBe(0)
  })

  test('a cleanup refuses swapped days, and needs the password for all', async () => {
    const wrong = await admin.request('POST', '/api/maintenance/cleanup/preview', {
      dateFrom: '2026-03-11',
      dateTo: '2026-03-10',
    })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'maintenance.bad_period'])
    await t.sql`update sessions set confirmed_at = now() - interval '1 hour'`
    const answer = await admin.request('POST', '/api/maintenance/cleanup', { cleanAll: true })
    expect(answer.body).toMatchObject({ code: 'auth.reauthenticate' })
  })

  test('a cleanup of everything leaves open conversations', async () => {
    const { conversationIds, contactIds } = await writePast(t, admin.userId, 3)
    const [open, undecided] = conversationIds
    await t.sql`update conversations set status = 'active', completed_at = null where id = ${open}`
    await t.sql`update conversations set pre_attendance_stage = 'waiting_option' where id = ${undecided}`
    expect((await cleanup({ cleanAll: true })).status).toBe(200)
    expect(await t.sql`select id from conversations order by id`).toEqual([{ id: open }, { id: undecided }])
    expect(await count(sql`contacts where id in (${contactIds[0]}, ${contactIds[2]})`)).toBe(2)
  })
})

test('a cleanup that is stopped says that it is not finished', async () => {
  await writePast(t, admin.userId, 2)
  disarm = armFailpoints('cleanup.batch=block')
  const answer = cleanup({ cleanAll: true })
  const [run] = (await eventually(stats, ({ runs }) => runs[0]?.step === 'delete')).runs
  expect((await admin.request('POST', `/api/maintenance/runs/${run?.id}/stop`)).status).toBe(204)
  // So often a run looks whether it is to end.
  await new Promise((resolve) => setTimeout(resolve, 350))
  disarm()
  const { status, body } = await answer
  expect([status, body]).toMatchObject([200, { isFinished: false }])
  expect((await ended(admin, 'cleanup')).cleanup?.deletedConversations).toBe(body.deletedConversations)
})

describe('a run', () => {
  test('a run excludes every other one, and is stopped', async () => {
    await writePast(t, admin.userId, 2)
    disarm = armFailpoints('backup.files=block')
    const { body: first } = await admin.request<Backup>('POST', '/api/maintenance/backup', {
      name: 'Primeiro',
      type: 'complete',
    })
    const second = await admin.request('POST', '/api/maintenance/backup', {
      name: 'Segundo',
      type: 'complete',
    })
    expect([second.status, second.body.code]).toEqual([409, 'maintenance.busy'])
    expect(await count(sql`maintenance_backups where name = 'Segundo'`)).toBe(0)
    const [run] = (await eventually(stats, ({ runs }) => runs.some(({ state }) => state === 'running'))).runs
    expect((await admin.request('POST', `/api/maintenance/runs/${run?.id}/stop`)).status).toBe(204)
    disarm()
    expect(await ended(admin, 'backup')).toMatchObject({ state: 'cancelled' })
    const stopped = (await backups()).find(({ id }) => id === first.id)
    expect(stopped).toMatchObject({ status: 'failed', error: 'Parado antes do fim' })
    expect(existsSync(await pathOf(stopped ?? first))).toBe(false)
    const over = await admin.request('POST', `/api/maintenance/runs/${run?.id}/stop`)
    expect(over.body.code).toBe('maintenance.over')
  })

  testAtNight('a run that restores a backup keeps it from being deleted', async () => {
    const made = await makeBackup(admin)
    disarm = armFailpoints('restore.staged=block')
    await admin.request('POST', `/api/maintenance/restore/${made.id}`, everything)
    await eventually(stats, ({ runs }) => runs.some(({ step }) => step === 'stage'))
    const answer = await admin.request('DELETE', `/api/maintenance/backups/${made.id}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'maintenance.busy'])
    disarm()
    expect((await ended(admin, 'restore')).state).toBe('done')
  })

  test('a run that fails says so, and what it has made can neither be restored nor downloaded', async () => {
    disarm = armFailpoints('backup.proven=throw')
    const made = await makeBackup(admin)
    expect(made).toMatchObject({ status: 'failed', error: failureText(new Error()) })
    for (const [method, path] of [
      ['POST', `/api/maintenance/restore/${made.id}`],
      ['GET', `/api/maintenance/download/${made.id}`],
    ] as const) {
      const { body } = await admin.request(method, path, method === 'POST' ? everything : undefined)
      expect(body.code).toBe('maintenance.not_completed')
    }
  })

  test('a failed run has a text that names the reason', () => {
    const withCode = (code: string) => Object.assign(new Error('x'), { code })
    expect(failureText(withCode('ENOSPC'))).toBe('O disco está cheio')
    expect(failureText(withCode('53100'))).toBe('O disco está cheio')
    expect(failureText(new BackupError('Falta uma parte'))).toBe('Falta uma parte')
  })
})

// What may be wrong with an archive is in archive/archive.test.ts.
test('a damaged backup is refused with a message, and nothing changes', async () => {
  await writePast(t, admin.userId, 1)
  const made = await makeBackup(admin)
  const tables = join(await pathOf(made), 'tables')
  truncateSync(join(tables, readdirSync(tables)[0] ?? ''), 20)
  await t.sql`delete from conversations where status = 'completed'`
  const run = await startRestore(admin, made)
  expect(run.state).toBe('failed')
  expect(run.error).toMatch(/^Uma parte do backup mudou: tables/)
  expect(await count(sql`conversations where status = 'completed' and pre_attendance_stage is null`)).toBe(0)
})

describe('what happens automatically', () => {
  const nothing: MaintenancePlan = {
    isBackupScheduled: false,
    backupTime: '23:00',
    backupsKept: 2,
    mediaDays: null,
    textDays: null,
    inboxDays: null,
    auditDays: null,
  }
  const put = (plan: Partial<MaintenancePlan>) =>
    admin.request<MaintenancePlan>('PUT', '/api/maintenance/plan', { ...nothing, ...plan })
  test('is nothing until somebody says so, and is kept as said', async () => {
    expect((await admin.request('GET', '/api/maintenance/plan')).body).toMatchObject({
      isBackupScheduled: false,
      mediaDays: null,
    })
    expect((await put({ mediaDays: 30 })).body).toMatchObject({ mediaDays: 30 })
    expect((await admin.request('GET', '/api/maintenance/plan')).body).toMatchObject({ mediaDays: 30 })
    for (const bad of [{ mediaDays: 0 }, { backupTime: '24:00' }, { backupsKept: 0 }, { auditDays: 30 }])
      expect((await put(bad)).status, JSON.stringify(bad)).toBe(400)
    await put({})
  })

  test('is not changed by whoever has not seen what a colleague changed', async () => {
    const other = await t.signIn('admin', 'outra')
    await confirm(other)
    const before = await admin.get<StoredPlan>('/api/maintenance/plan')
    const save = (who: Client, plan: Partial<StoredPlan>) =>
      who.request<StoredPlan & ErrorBody>('PUT', '/api/maintenance/plan', { ...before, ...plan })
    const saved = await save(other, { backupsKept: 9 })
    expect([saved.status, saved.body.version]).toEqual([200, before.version + 1])
    const stale = await save(admin, { mediaDays: 60 })
    expect([stale.status, stale.body.code]).toEqual([409, 'maintenance.plan_changed'])
    expect(stale.body.message).toBe('Outra mudou o backup diário e os prazos enquanto você editava.')
    expect((await admin.request('GET', '/api/maintenance/plan')).body).toEqual(saved.body)
    // What is stored already is no change.
    expect((await save(admin, { backupsKept: 9 })).body).toEqual(saved.body)
    const statuses = await Promise.all(
      [61, 62, 63].map(async (mediaDays) => (await save(admin, { ...saved.body, mediaDays })).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    await put({})
  })

  testAtNight('a backup a day at its time, and no more than are kept', async () => {
    await t.sql`delete from maintenance_backups`
    await put({ isBackupScheduled: true, backupTime: '00:00' })
    const newest = async () => (await backups())[0]
    for (let n = 1; n <= 3; n++) {
      const before = (await newest())?.id ?? 0
      await t.sql`update maintenance_plans set backup_day = '2001-01-01'`
      await eventually(newest, (made) => (made?.id ?? 0) > before && made?.status === 'completed')
    }
    await ended(admin, 'backup')
    await put({})
    const kept = await backups()
    expect(kept).toHaveLength(2)
    expect(kept[0]).toMatchObject({ status: 'completed', createdBy: null })
    expect(kept[0]?.name).toMatch(/^Backup_\d{2}-\d{2}-\d{4}_\d{2}-\d{2}$/)
  })

  test('files, texts, webhooks and personal values of the audit go when their period is over', async () => {
    const { conversationIds } = await writePast(t, admin.userId, 2)
    const [old, recent] = conversationIds
    await t.sql`update conversations set completed_at = app_now() - interval '40 days' where id = ${old}`
    await t.sql`insert into webhook_inbox
                  (instance_name, event, dedupe_key, lane, payload, received_at, processed_at)
                values ('loja1', 'x', 'old', 'l', '{}', app_now() - interval '40 days', app_now()),
                       ('loja1', 'x', 'new', 'l', '{}', app_now(), app_now())`
    const plan = { mediaDays: 30, textDays: 30, inboxDays: 30 }
    const counts = await admin.request('POST', '/api/maintenance/plan/preview', { ...nothing, ...plan })
    expect(counts.body).toEqual({ files: 1, texts: 4, inbox: 1, audit: 0 })
    await saveSettings(t.database, { timezone: await zoneAfterFour() })
    await t.sql`update maintenance_plans set retention_day = null`
    await put(plan)
    const lastOf = ({ runs }: MaintenanceStats) => runs.find(({ kind }) => kind === 'retention')
    const run = lastOf(
      await eventually(stats, (all) => {
        const last = lastOf(all)
        return last?.state === 'done' && (last.retention?.texts ?? 0) > 0
      }),
    )
    expect(run).toMatchObject({ state: 'done', retention: { files: 1, texts: 4, inbox: 1, audit: 0 } })
    expect(await count(sql`messages where conversation_id = ${old} and content <> ''`)).toBe(0)
    expect(await count(sql`messages where conversation_id = ${old} and metadata ? 'isExpired'`)).toBe(4)
    expect(await count(sql`messages where conversation_id = ${recent} and content <> ''`)).toBe(4)
    expect(
      await count(sql`files f join messages m on m.id = f.message_id where m.conversation_id = ${old}`),
    ).toBe(0)
    expect(await count(sql`webhook_inbox where dedupe_key in ('old', 'new')`)).toBe(1)
  })

  test('what another version wrote of a run does not take the figures away', async () => {
    await makeBackup(admin)
    await t.sql`update maintenance_runs set plan = '{}', cleanup = '[1]', retention = '{"files": "1"}'
                 where kind = 'backup'`
    const { status, body } = await admin.request<MaintenanceStats>('GET', '/api/maintenance/stats')
    expect(status).toBe(200)
    const unread = { state: 'done', plan: null, cleanup: null, retention: null }
    expect(body.runs.find(({ kind }) => kind === 'backup')).toMatchObject(unread)
  })

  test('the tables of a stored plan have the names of now, and one that is gone its own', async () => {
    await makeBackup(admin)
    const counts = { rows: 1, added: 1, changed: 0, kept: 0, erased: 0 }
    const tables = ['contacts', 'no_longer_here'].map((table) => ({ table, ...counts }))
    const files = { rows: 0, added: 0, sizeBytes: 0 }
    const plan = { isOwn: true, madeAt: '2026-01-01T00:00:00.000Z', tables, files, keysToType: [] }
    await t.sql`update maintenance_runs set plan = ${JSON.stringify(plan)}::jsonb where kind = 'backup'`
    const body = await admin.get<MaintenanceStats>('/api/maintenance/stats')
    const run = body.runs.find(({ kind }) => kind === 'backup')
    expect(run?.plan?.tables.map(({ label }) => label)).toEqual(['Contatos', 'no_longer_here'])
  })

  /** A time zone in which the night's work is due already. */
  async function zoneAfterFour() {
    const [now] = await t.sql<{ hour: number }>`
      select extract(hour from app_now() at time zone 'America/Sao_Paulo')::int as hour`
    return (now?.hour ?? 0) >= 4 ? ('America/Sao_Paulo' as const) : ('Asia/Tokyo' as const)
  }
})
