import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Backup, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { createFolderStore } from '#server/maintenance/archive/store.ts'
import { importBackup } from '#server/maintenance/copy/import.ts'
import { createBackupStore } from '#server/maintenance/store/backup-store.ts'
import { databaseDiskOf } from '#server/platform/file-store/disk-room.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import {
  confirm,
  download,
  ended,
  folderOf,
  makeBackup,
  startRestore,
  writePast,
} from '#server/testing/past.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { forAllTests, eventually, testApp } from '#server/testing/test-app.ts'

const backupKey = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'

let bucket: BucketServer
beforeAll(async () => {
  bucket = await startBucketServer()
})
const t = forAllTests(() => testApp(bucket.env, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
beforeAll(async () => {
  await writePast(t, admin.userId, 3)
})
beforeEach(async () => {
  await confirm(admin)
  bucket.asked = []
})
let disarm: (() => void) | undefined
afterEach(() => {
  disarm?.()
  bucket.refuse = undefined
})
afterAll(() => bucket.close())
const count = async (what: ReturnType<typeof sql>) => (await t.sql`select from ${what}`).length

const keysOf = async (backup: Pick<Backup, 'id'>) => {
  const folder = await folderOf(t, backup)
  return bucket.keys().filter((key) => key.startsWith(`backups/${folder}/`))
}

async function expectRestored(made: Backup): Promise<void> {
  await t.sql`delete from conversations where status = 'completed'`
  const names = await t.sql<{ name: string }>`delete from files returning name`
  for (const { name } of names) await t.app.files.remove(name)
  expect(await startRestore(admin, made)).toMatchObject({ state: 'done' })
  expect(await count(sql`conversations where status = 'completed'`)).toBe(3)
  const back = await t.sql<{ name: string; size: number }>`select name, size_bytes::int as size from files`
  expect(back).toHaveLength(3)
  for (const { name, size } of back) {
    let length = 0
    for await (const chunk of (await t.app.files.read(name)) ?? []) length += (chunk as Buffer).length
    expect(length).toBe(size)
  }
}

describe('a backup in a bucket', () => {
  test('a backup in a bucket is made and proven there, downloaded in any ranges, and restored', async () => {
    const made = await makeBackup(admin)
    expect(made).toMatchObject({ status: 'completed', proof: { files: 3, reusedFiles: 0, missingFiles: 0 } })
    expect(existsSync(join(t.config.dataDir, 'backups'))).toBe(false)
    expect(await keysOf(made)).toContain(`backups/${await folderOf(t, made)}/manifest.json`)
    const stats = await admin.get<MaintenanceStats>('/api/maintenance/stats')
    expect(stats.freeBytes).toBeNull()
    const whole = await download(t, admin, made)
    expect(whole).toHaveLength(made.size ?? 0)
    const pieces: Buffer[] = []
    for (let at = 0; at < whole.length; at += 1777)
      pieces.push(await download(t, admin, made, `bytes=${at}-${Math.min(at + 1776, whole.length - 1)}`))
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    await expectRestored(made)
  })

  testAtNight('a backup in a bucket copies files of an earlier one within the bucket', async () => {
    const first = await makeBackup(admin)
    bucket.asked = []
    const second = await makeBackup(admin)
    expect(second.proof).toMatchObject({ files: 3, reusedFiles: 3 })
    // None of the files is read.
    expect(bucket.asked.filter((line) => /^GET \/balcao\/[^/?]+$/.test(line))).toEqual([])
    expect((await admin.request('DELETE', `/api/maintenance/backups/${first.id}`)).status).toBe(204)
    expect(await keysOf(first)).toEqual([])
    expect(bucket.keys().filter((key) => !key.startsWith('backups/'))).toHaveLength(3)
    await expectRestored(second)
  })

  testAtNight('a backup in a bucket comes back in as a file', async () => {
    const whole = await download(t, admin, await makeBackup(admin))
    const folder = mkdtempSync(join(tmpdir(), 'balcao-import-'))
    const path = join(folder, 'Backup.tar')
    const parts = {
      database: t.database,
      store: createBackupStore(t.config),
      cipher: undefined,
      databaseDisk: databaseDiskOf(t.config),
    }
    writeFileSync(path, whole)
    expect((await download(t, admin, await importBackup(parts, path, noProgress))).equals(whole)).toBe(true)
    const before = bucket.keys()
    for (const damaged of [
      whole.subarray(0, -1),
      Buffer.concat([whole.subarray(0, 600), whole.subarray(601)]),
    ]) {
      writeFileSync(path, damaged)
      await expect(importBackup(parts, path, noProgress)).rejects.toMatchObject({ name: 'BackupError' })
    }
    expect(bucket.keys()).toEqual(before)
    rmSync(folder, { recursive: true })
  })

  testAtNight('a backup in a bucket is whole also when the one before has lost a file', async () => {
    const before = await makeBackup(admin)
    truncateSync(memberOf(await folderOf(t, before), 'files'), 1)
    const made = await makeBackup(admin)
    expect(made.proof).toMatchObject({ files: 3, reusedFiles: 0, damagedFiles: 0 })
    expect((await makeBackup(admin)).proof).toMatchObject({ files: 3, reusedFiles: 3 })
  })

  test('a backup in a bucket of which an object was cut is refused with a message', async () => {
    const made = await makeBackup(admin)
    truncateSync(memberOf(await folderOf(t, made), 'tables'), 20)
    const run = await startRestore(admin, made)
    expect(run.state).toBe('failed')
    expect(run.error).toMatch(/^Uma parte do backup mudou: tables/)
    expect(await count(sql`conversations where status = 'completed'`)).toBe(3)
  })

  testAtNight(
    'a backup in a bucket is none when the bucket goes away meanwhile; what is left of it goes with the next',
    async () => {
      const completed = () => count(sql`maintenance_backups where status = 'completed'`)
      const before = await completed()
      disarm = armFailpoints('backup.files=block')
      const { body: begun } = await admin.request<Backup>('POST', '/api/maintenance/backup', {
        name: 'Interrompido',
        type: 'complete',
      })
      await eventually(
        () => bucket.asked,
        (asked) => asked.some((line) => line.includes('files/index.jsonl.zst')),
      )
      bucket.refuse = () => 'cut'
      disarm()
      expect(await ended(admin, 'backup')).toMatchObject({
        state: 'failed',
        error: 'O bucket S3 não responde: tente de novo mais tarde',
      })
      expect(await completed()).toBe(before)
      const download = await admin.request('GET', `/api/maintenance/download/${begun.id}`)
      expect(download.body.code).toBe('maintenance.not_completed')
      expect((await keysOf(begun)).length).toBeGreaterThan(3)
      bucket.refuse = undefined
      expect((await makeBackup(admin)).status).toBe('completed')
      expect(await keysOf(begun)).toEqual([])
    },
  )

  testAtNight('a backup in a bucket of another database in the same bucket stays', async () => {
    const other = `backups/${'0123456789ab'}-${'x'.repeat(32)}`
    const [key] = bucket.keys()
    for (const name of ['layout', 'manifest.json'])
      await createBackupStore(t.config).write(
        other.slice('backups/'.length),
        name,
        Readable.from([Buffer.from(key ?? '')]),
      )
    expect((await makeBackup(admin)).status).toBe('completed')
    expect(bucket.keys()).toContain(`${other}/manifest.json`)
  })

  testAtNight('a backup that was on the disk before is read there', async () => {
    const made = await makeBackup(admin)
    const whole = await download(t, admin, made)
    const folder = await folderOf(t, made)
    const disk = createFolderStore(join(t.config.dataDir, 'backups'))
    for (const key of await keysOf(made)) {
      await disk.write(folder, key.slice(`backups/${folder}/`.length), createReadStream(bucket.pathOf(key)))
      rmSync(bucket.pathOf(key))
    }
    const earlier = join(t.config.dataDir, 'backups', folder)
    expect((await download(t, admin, made)).equals(whole)).toBe(true)
    await expectRestored(made)
    expect((await makeBackup(admin)).proof).toMatchObject({ files: 3, missingFiles: 0 })
    expect(readdirSync(earlier)).toContain('manifest.json')
    rmSync(earlier, { recursive: true })
    const gone = await admin.request('GET', `/api/maintenance/download/${made.id}`)
    expect([gone.status, gone.body.code]).toEqual([410, 'maintenance.gone'])
    expect(await startRestore(admin, made)).toMatchObject({
      state: 'failed',
      error: 'Os arquivos deste backup não estão mais onde ele foi guardado',
    })
  })

  testAtNight('a backup can only be deleted while its bucket is away', async () => {
    const made = await makeBackup(admin)
    bucket.refuse = () => 'cut'
    const away = await admin.request('GET', `/api/maintenance/download/${made.id}`)
    expect([away.status, away.body.code]).toEqual([503, 'maintenance.store_away'])
    expect(await startRestore(admin, made)).toMatchObject({
      state: 'failed',
      error: 'O bucket S3 não responde: tente de novo mais tarde',
    })
    expect((await admin.request('DELETE', `/api/maintenance/backups/${made.id}`)).status).toBe(204)
    bucket.refuse = undefined
    const keys = bucket.keys()
    expect((await makeBackup(admin)).status).toBe('completed')
    const left = new Set(bucket.keys())
    expect(keys.filter((key) => !left.has(key)).length).toBeGreaterThan(3)
  })
})

function memberOf(folder: string, kind: string): string {
  const prefix = `backups/${folder}/${kind}/`
  const key = bucket.keys().find((one) => one.startsWith(prefix) && !one.endsWith('index.jsonl.zst'))
  return bucket.pathOf(key ?? '')
}

testAtNight('an encrypted backup in a bucket shows nothing of what is in it', async () => {
  const own = await testApp({ ...bucket.env, BACKUP_KEY: backupKey }, { hasJobs: true })
  const who = await own.signIn('admin', 'chefe')
  await writePast(own, who.userId, 1)
  const others = new Set(bucket.keys())
  expect(await makeBackup(who)).toMatchObject({ status: 'completed', isEncrypted: true })
  const made = bucket.keys().filter((key) => !others.has(key))
  expect(made).toContainEqual(expect.stringMatching(/manifest\.sig$/))
  for (const key of made) expect(readFileSync(bucket.pathOf(key)).includes('Cliente')).toBe(false)
  expect((await makeBackup(who)).proof).toMatchObject({ files: 1, reusedFiles: 1 })
  await own.close()
})
