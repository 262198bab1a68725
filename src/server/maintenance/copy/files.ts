import { createHash } from 'node:crypto'
import type pg from 'pg'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { FileLine } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import type { FileToCopy } from '#server/maintenance/backup/export-tables.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'

/** Files that are written at once: each waits for the disk at its end. */
const mostAtOnce = 8

/** SHA-256 and size of a file; undefined when there is none. */
export async function hashFile(
  files: FileStore,
  name: string,
): Promise<{ size: number; sha256: string } | undefined> {
  const bytes = await files.read(name)
  if (!bytes) return undefined
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

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

interface Dependencies {
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
}

/**
 * Puts files of a copy into the file store, and reads each back. One that is there already with the same
 * bytes stays.
 * @param onPut called for each file before it is put, so that it can be removed
 * @throws BackupError when one of that name has other bytes, or one is not what the copy lists
 */
export async function putFiles(
  { files, store, cipher }: Dependencies,
  lines: readonly FileLine[],
  { progress, onPut }: { progress: Progress; onPut: (name: string) => void },
): Promise<void> {
  await progress.begin(
    'files',
    lines.reduce((sum, { size }) => sum + size, 0),
  )
  async function put({ name, member, size, sha256 }: FileLine): Promise<void> {
    if (member === null) return
    const before = await hashFile(files, name)
    if (before?.sha256 === sha256) return
    if (before) throw new BackupError(`No destino já há outro arquivo com o nome ${name}`)
    const sealed = await store.read('', member)
    const spooled = await files.spool(cipher ? await cipher.decrypt(sealed) : sealed, size)
    if (spooled.sha256 !== sha256) {
      await spooled.drop()
      throw new BackupError('Um arquivo da cópia não é o que a lista diz')
    }
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
