import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import {
  carryBackup,
  confirm,
  everything,
  folderOf,
  makeBackup,
  startRestore,
  writePast,
} from '#server/testing/past.ts'
import { forAllTests, refusal, testApp, type TestApp } from '#server/testing/test-app.ts'

// Where backups are signed, one without a signature may be anybody's.

const key = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'
const plain = forAllTests(() => testApp({}, { hasJobs: true }))
const plainAdmin = forAllTests(() => plain.signIn('admin', 'chefe'))
const t = forAllTests(() => testApp({ BACKUP_KEY: key }, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

let unsigned: Backup
beforeAll(async () => {
  await writePast(plain, plainAdmin.userId, 1)
  const made = await makeBackup(plainAdmin)
  expect(made.isUnsigned).toBe(false)
  unsigned = await carryBackup({ from: plain, to: t, admin }, made, { name: 'Sem assinatura' })
})

test('a backup without a signature is restored only by whoever says that they trust it', async () => {
  expect(unsigned).toMatchObject({ isEncrypted: false, isUnsigned: true })
  await confirm(admin)
  for (const path of [
    `/api/maintenance/restore/${unsigned.id}`,
    `/api/maintenance/restore/${unsigned.id}/preview`,
  ])
    expect(await admin.request('POST', path, everything)).toMatchObject(refusal(422, 'maintenance.unsigned'))
  expect(await t.sql`select from conversations`).toEqual([])

  expect((await startRestore(admin, unsigned, { ...everything, acceptUnsigned: true })).state).toBe('done')
  expect(await t.sql`select from conversations`).toHaveLength(1)
  const [row] = await t.sql`
    select details from audit_logs where action = 'maintenance.restore' order by id desc limit 1`
  expect(row).toEqual({ details: { name: 'Sem assinatura', ...everything, acceptUnsigned: true } })
})

test('a backup that was signed and no longer is, is restored by nobody', async () => {
  const signed = await makeBackup(admin)
  expect(signed).toMatchObject({ isEncrypted: true, isUnsigned: false })
  const pathOf = async (app: TestApp, backup: Backup) =>
    join(app.config.dataDir, 'backups', await folderOf(app, backup))
  const [from, to] = [await pathOf(t, unsigned), await pathOf(t, signed)]
  rmSync(to, { recursive: true })
  cpSync(from, to, { recursive: true })
  expect(await startRestore(admin, signed, { ...everything, acceptUnsigned: true })).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('Falta a assinatura de BACKUP_KEY'),
  })
})
