import { afterAll, afterEach, expect, test } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { ended, makeBackup, startRestore, writePast } from '#server/testing/past.ts'
import { testApp, type TestApp, withoutJobs } from '#server/testing/test-app.ts'

// As the program runs: each run in a thread of its own.

let t: TestApp
let disarm: (() => void) | undefined
afterEach(async () => {
  disarm?.()
  await t.app.stop()
})
afterAll(() => t.close())
const key = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'

test('a backup is made and restored in a thread, by the clock of the product', async () => {
  const options = { ...withoutJobs, hasJobs: true as const, clockOffset: '3 days', jobThreads: {} }
  t = await testApp({ BACKUP_KEY: key }, options)
  const admin = await t.signIn('admin', 'chefe')
  const { conversationIds } = await writePast(t, admin.userId, 3)
  const tab = await connectLive(t.app.url, { token: admin.token })
  // Armed here, and not where the work is done.
  disarm = armFailpoints('backup.tables=throw,restore.staged=throw')
  const made = await makeBackup(admin)
  expect(made).toMatchObject({ status: 'completed', error: null, isEncrypted: true })
  const [when] = await t.sql<{ isAhead: boolean }>`
    select completed_at > now() + interval '2 days' as "isAhead" from maintenance_backups`
  expect(when?.isAhead).toBe(true)
  await t.sql`delete from conversations`
  expect(await startRestore(admin, made)).toMatchObject({ state: 'done', error: null })
  expect(await t.sql`select from conversations`).toHaveLength(conversationIds.length)
  await tab.heard('settings_changed')
  const acts = await t.sql<{ action: string }>`
    select action from audit_logs where action like 'maintenance.%' order by id`
  expect(acts.map(({ action }) => action)).toEqual([
    'maintenance.backup',
    'maintenance.backup_end',
    'maintenance.restore',
    'maintenance.restore_end',
  ])
  await tab.close()
})

test('a thread that runs out of memory fails its run with a message, and the server goes on', async () => {
  t = await testApp({}, { ...withoutJobs, hasJobs: true, jobThreads: { mostHeapMiB: 8 } })
  const admin = await t.signIn('admin', 'chefe')
  const made = await makeBackup(admin)
  const words = 'Faltou memória para chegar ao fim'
  expect(made).toMatchObject({ status: 'failed', error: words })
  expect(await ended(admin, 'backup')).toMatchObject({ state: 'failed', error: words })
  // Nothing is left of it that would keep the next one from beginning, or anybody from working.
  const next = await admin.request<Backup>('POST', '/api/maintenance/backup', {
    name: 'Outro',
    type: 'complete',
  })
  expect(next.status).toBe(201)
  expect(await ended(admin, 'backup')).toMatchObject({ state: 'failed', error: words })
})
