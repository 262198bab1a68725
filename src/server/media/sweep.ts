import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { deleteSpareFiles, listSpareFiles, renewSpareFiles } from './queries.ts'

/** Longer than any upload takes, and than a large file stays open. */
const spareForMs = 24 * 60 * 60_000
const atOnce = 100
/** Held while the bytes of a batch go, so that nobody takes a file over at that moment. */
const lockedName = 'sweep-files'

export function sweepFilesJob(database: Database, files: FileStore): JobDefinition {
  return defineJob({
    name: 'sweep-files',
    schedule: '41 * * * *',
    afterCrash: 'again',
    work: async ({ progress }) => void (await sweepFiles(database, files, progress)),
  })
}

/**
 * Removes files that belong to no message and are neither a contact's picture nor a quick response's file: an
 * upload was never finished, the message was deleted, or its person anonymized. Also removes files that were
 * fetched on demand. The file is deleted before its row, so that no file remains without one.
 * @param progress called after each hundred files with their number so far
 * @returns the number of removed files
 */
export async function sweepFiles(
  database: Database,
  files: FileStore,
  progress?: (swept: number) => Promise<void>,
): Promise<number> {
  for (let swept = 0; ;) {
    const count = await inTransaction(database, async (db) => {
      await lockName(db, lockedName)
      const spare = await listSpareFiles(db, spareForMs, atOnce)
      for (const { name } of spare) await files.remove(name)
      await deleteSpareFiles(
        db,
        spare.map(({ name }) => name),
      )
      return spare.length
    })
    swept += count
    await progress?.(swept)
    if (count < atOnce) return swept
  }
}

/** Keeps these files from the sweep for a day, if they have no owner: they are about to get one again. */
export async function claimSpareFiles(database: Database, names: readonly string[]): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockName(db, lockedName)
    await renewSpareFiles(db, names)
  })
}
