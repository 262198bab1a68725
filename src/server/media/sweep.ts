import type { Database } from '#server/platform/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { deleteSpareFiles, listSpareFiles } from './queries.ts'

/** Longer than any upload takes, and than anybody looks at a large file. */
const spareForMs = 24 * 60 * 60_000
const atOnce = 100

/**
 * Takes away what belongs to no message and is neither a contact's picture nor a quick response's file, because an upload was never finished or the message is gone, and what was only
 * fetched to be opened. The file goes before its row, so that none is left that nobody knows of.
 * @returns how many
 */
export async function sweepFiles(database: Database, files: FileStore): Promise<number> {
  for (let swept = 0; ;) {
    const spare = await listSpareFiles(database, spareForMs, atOnce)
    for (const { name } of spare) await files.remove(name)
    await deleteSpareFiles(
      database,
      spare.map(({ name }) => name),
    )
    swept += spare.length
    if (spare.length < atOnce) return swept
  }
}
