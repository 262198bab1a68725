import { join } from 'node:path'
import { type BackupStore, createFolderStore } from '#server/maintenance/archive/store.ts'
import type { Config } from '#server/platform/config.ts'
import { createBucketStore } from './bucket-store.ts'

/**
 * The store of backups. New ones go where the configuration says. Earlier ones are read where they are, so
 * that they are not lost to whoever changes that: names are random, and what is not on the disk is in the
 * bucket.
 */
export function createBackupStore({
  dataDir,
  backupStore,
  backupBucket,
}: Pick<Config, 'dataDir' | 'backupStore' | 'backupBucket'>): BackupStore {
  const disk = createFolderStore(join(dataDir, 'backups'))
  if (!backupBucket) return disk
  const bucket = createBucketStore(backupBucket)
  const first = backupStore === 's3' ? bucket : disk
  const placeOf = async (folder: string) => ((await disk.has(folder)) ? disk : bucket)
  return {
    write: (folder, name, bytes) => first.write(folder, name, bytes),
    reuse: async (folder, name, from) => (await placeOf(from)) === first && first.reuse(folder, name, from),
    settle: (folder) => first.settle(folder),
    read: async (folder, name, range) => (await placeOf(folder)).read(folder, name, range),
    remove: async (folder) => (await placeOf(folder)).remove(folder),
    has: async (folder) => (await placeOf(folder)).has(folder),
    // A backup on the disk does not need the bucket.
    list: async () => [...(await disk.list()), ...(first === bucket ? await bucket.list() : [])],
    freeBytes: () => first.freeBytes(),
  }
}
