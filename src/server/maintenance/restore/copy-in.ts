import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { claimSpareFiles } from '#server/media/media.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import type { Archive } from '#server/maintenance/archive/archive.ts'
import { spoolFile } from '#server/maintenance/archive/copy-files.ts'
import type { FileLine } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'

// Files are copied into the file store before the transaction that adds their rows, under names that nobody
// knows yet. Which these are is noted first, so that they are removed if that transaction never comes.

interface Dependencies {
  database: Database
  files: FileStore
}

const mostAtOnce = 3

/** @throws BackupError when the bytes of one are not those that the backup lists */
export async function copyIn(
  { database, files }: Dependencies,
  archive: Archive,
  { runId, wanted }: { runId: string; wanted: readonly FileLine[] },
  progress: Progress,
): Promise<void> {
  await progress.begin(
    'files',
    wanted.reduce((sum, { size }) => sum + size, 0),
  )
  await database.execute(
    sql`insert into restored_files (run_id, name)
        select ${runId}, name from unnest(${sql.param(wanted.map(({ name }) => name))}::text[]) name
        on conflict do nothing`,
  )
  await claimSpareFiles(
    database,
    wanted.map(({ name }) => name),
  )
  await sideBySide(wanted, mostAtOnce, async ({ member, ...line }) => {
    if (member === null) return
    const spooled = await spoolFile(files, archive, { ...line, member })
    try {
      await files.keep(line.name, spooled)
    } finally {
      await spooled.drop()
    }
    await progress.add(line.size)
  })
}

/** Removes the files of restores that never came to their rows, and forgets the others. */
export async function forgetCopied({ database, files }: Dependencies): Promise<void> {
  const orphans = await rows<{ name: string }>(
    database,
    sql`select name from restored_files r where not exists (select from files f where f.name = r.name)`,
  )
  for (const { name } of orphans) await files.remove(name)
  await database.execute(sql`delete from restored_files`)
}
