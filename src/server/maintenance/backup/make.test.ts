import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { type BackupStore, createFolderStore } from '#server/maintenance/archive/store.ts'
import { databaseDiskOf } from '#server/platform/file-store/disk-room.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { newFolder } from './backups.ts'
import { type BackupDependencies, makeBackup } from './make.ts'

const t = forAllTests(testApp)

async function make(parts: Pick<BackupDependencies, 'databaseDisk'>, done: string[] = []) {
  const { database, app, config } = t
  const disk = createFolderStore(join(config.dataDir, 'backups'))
  const store: BackupStore = {
    ...disk,
    freeBytes: async () => 1000,
    write(folder, name, bytes) {
      done.push(name)
      return disk.write(folder, name, bytes)
    },
    async settle(folder) {
      await disk.settle(folder)
      done.push('settled')
    },
  }
  const folder = await newFolder(database)
  const made = { folder, earlier: undefined }
  return makeBackup({ database, files: app.files, store, cipher: undefined, ...parts }, made, noProgress)
}

test('the tables have to fit once more on the disk of the database, wherever backups are', async () => {
  const { dataDir } = t.config
  const elsewhere = databaseDiskOf({ databaseUrl: 'postgres://balcao@db/balcao', dataDir })
  expect((await make({ databaseDisk: elsewhere })).proof.rows).toBeGreaterThan(0)
  const here = databaseDiskOf({ databaseUrl: undefined, dataDir })
  expect(await here.freeBytes()).toBeGreaterThan(0)
  await expect(make({ databaseDisk: { freeBytes: async () => 1000 } })).rejects.toThrow(
    'O disco não comporta',
  )
})

test('nothing is written after the names of all members were made to survive a crash', async () => {
  const done: string[] = []
  await make({ databaseDisk: databaseDiskOf(t.config) }, done)
  expect(done.slice(-2)).toEqual(['layout', 'settled'])
})
