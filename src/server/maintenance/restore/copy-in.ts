import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { claimSpareFiles } from '#server/media/media.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { FileLine } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'

// Files are copied into the file store before the transaction that adds their rows, under names that nobody
// knows yet. Which these are is noted first, so that they are removed if that transaction never comes.

interface Dependencies {
  database: Database
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
}

const mostAtOnce = 3

/** @throws BackupError when the bytes of one are not those that the backup lists */
export async function copyIn(
  { database, files, store, cipher }: Dependencies,
  { folder, runId, wanted }: { folder: string; runId: string; wanted: readonly FileLine[] },
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
  await sideBySide(wanted, mostAtOnce, async ({ name, member, size, sha256 }) => {
    if (member === null) return
    const sealed = await store.read(folder, member)
    const spooled = await files.spool(cipher ? await cipher.decrypt(sealed) : sealed, size)
    try {
      if (spooled.sha256 !== sha256) throw new BackupError('Um arquivo do backup não é o que a lista diz')
      await files.keep(name, spooled)
    } finally {
      await spooled.drop()
    }
    await progress.add(size)
  })
}

/** Removes the files of restores that never came to their rows, and forgets the others. */
export async function forgetCopied({
  database,
  files,
}: Pick<Dependencies, 'database' | 'files'>): Promise<void> {
  const orphans = await rows<{ name: string }>(
    database,
    sql`select name from restored_files r where not exists (select from files f where f.name = r.name)`,
  )
  for (const { name } of orphans) await files.remove(name)
  await database.execute(sql`delete from restored_files`)
}
