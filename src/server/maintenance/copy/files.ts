import type pg from 'pg'
import type { Archive } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { type FileToCopy, hashFile, spoolFile } from '#server/maintenance/archive/copy-files.ts'
import type { FileLine } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'

/** Files that are written at once: each waits for the disk at its end. */
const mostAtOnce = 8

/**
 * All files of the file store, by the rows that name them. What is fetched again when somebody asks for it,
 * and what is about to be deleted, is none of them if it has gone already.
 */
export async function listFiles(client: pg.ClientBase, files: FileStore): Promise<FileToCopy[]> {
  const { rows } = await client.query<FileToCopy & { isSpare: boolean }>(
    `select name, size_bytes::float8 as size, sha256, is_passing or is_erased as "isSpare" from files
      order by id`,
  )
  const found: FileToCopy[] = []
  for (const { isSpare, ...file } of rows)
    if (!isSpare || (await hashFile(files, file.name))) found.push(file)
  // Of the files of contacts no hash is stored.
  const imports = await client.query<{ name: string }>(
    'select stored_name as name from contact_imports order by id',
  )
  for (const { name } of imports.rows) {
    const file = await hashFile(files, name)
    if (file) found.push({ name, ...file })
  }
  return found
}

/**
 * Puts files of a copy into the file store, and reads each back. One that is there already with the same
 * bytes stays.
 * @param onPut called for each file before it is put, so that it can be removed
 * @throws BackupError when one of that name has other bytes, or one is not what the copy lists
 */
export async function putFiles(
  files: FileStore,
  archive: Archive,
  lines: readonly FileLine[],
  { progress, onPut }: { progress: Progress; onPut: (name: string) => void },
): Promise<void> {
  await progress.begin(
    'files',
    lines.reduce((sum, { size }) => sum + size, 0),
  )
  async function put({ member, ...line }: FileLine): Promise<void> {
    if (member === null) return
    const { name, sha256 } = line
    const before = await hashFile(files, name)
    if (before?.sha256 === sha256) return
    if (before) throw new BackupError(`No destino já há outro arquivo com o nome ${name}`)
    const spooled = await spoolFile(files, archive, { ...line, member })
    onPut(name)
    await files.keep(name, spooled)
    if ((await hashFile(files, name))?.sha256 !== sha256)
      throw new BackupError(`O arquivo ${name} não é lido no destino como foi gravado`)
  }
  await sideBySide(lines, mostAtOnce, async (line) => {
    await put(line)
    await progress.add(line.size)
  })
}
