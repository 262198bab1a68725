import { Readable } from 'node:stream'
import type { FileStore, Spooled } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { type Archive, indexName, memberOf, type Place, readFileLines } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { seal } from './cipher.ts'
import type { Contents, FileLine, Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { measure } from './store.ts'

/** Files that are copied side by side: each waits for the disk at its end. */
const mostAtOnce = 3

/** A file of the file store, as its row knows it. */
export interface FileToCopy {
  name: string
  size: number
  sha256: string
}

export interface Copied {
  files: Contents['files']
  /** How many were taken from the earlier backup. */
  reused: number
}

export const noFiles: Contents['files'] = { rows: 0, bytes: 0, missing: 0, damaged: 0, index: [] }

/**
 * Copies the files into an archive, each content once. What an earlier one has is not copied again. A file
 * that has gone meanwhile, or whose bytes are not those of its row, is listed as such; others with the same
 * hash are not concerned.
 */
export async function copyFiles(
  files: FileStore,
  { store, folder, cipher }: Place,
  wanted: readonly FileToCopy[],
  earlier: Archive<Manifest> | undefined,
  progress: Progress,
): Promise<Copied> {
  await progress.begin(
    'files',
    wanted.reduce((sum, { size }) => sum + size, 0),
  )
  const known = earlier ? await readEarlier(earlier) : new Map<string, FileLine>()
  const lines: FileLine[] = []
  let reused = 0
  let damaged = 0

  /** What an earlier backup has of a content. */
  async function reuse(sha256: string): Promise<FileLine | undefined> {
    const before = known.get(sha256)
    if (!before || !earlier || !(await store.reuse(folder, memberOf(sha256, cipher), earlier.folder)))
      return undefined
    reused += 1
    return before
  }

  async function copyOne({ name, size, sha256 }: FileToCopy, member: string): Promise<FileLine> {
    const bytes = await files.read(name)
    if (!bytes) return { name, member: null, size, sha256, storedSize: 0, storedSha256: sha256 }
    const plain = measure(bytes)
    const sealed = cipher
      ? await cipher.encrypt(Readable.from(plain.bytes, { objectMode: false }))
      : plain.bytes
    const written = await store.write(folder, member, sealed)
    const { size: storedSize, sha256: storedSha256 } = written
    return { name, member, ...plain.result(), storedSize, storedSha256 }
  }

  /** One after another, until one has the bytes of the hash: the others are taken to have them as well. */
  async function copySame(sha256: string, same: readonly FileToCopy[]): Promise<void> {
    let whole = await reuse(sha256)
    let members = 0
    for (const file of same) {
      const member = memberOf(sha256, cipher)
      const line = whole ?? (await copyOne(file, members === 0 ? member : `${member}-${members}`))
      lines.push({ ...line, name: file.name })
      if (line.member !== null && line.sha256 === sha256) whole = line
      else if (line.member !== null) {
        members += 1
        damaged += 1
      }
      await progress.add(file.size)
    }
  }

  const bySha256 = Map.groupBy(wanted, (file) => file.sha256)
  await sideBySide(bySha256, mostAtOnce, ([sha256, same]) => copySame(sha256, same))
  const sealed = await seal(linesOf(lines), cipher)
  return {
    reused,
    files: {
      rows: lines.length,
      bytes: lines.reduce((sum, { member, size }) => sum + (member === null ? 0 : size), 0),
      missing: lines.filter(({ member }) => member === null).length,
      damaged,
      index: [{ name: indexName, ...(await store.write(folder, indexName, sealed)) }],
    },
  }
}

async function* linesOf(lines: readonly FileLine[]): AsyncGenerator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`
}

/** By the hash of their bytes, of those that are stored under it. */
async function readEarlier(earlier: Archive<Manifest>): Promise<Map<string, FileLine>> {
  const known = new Map<string, FileLine>()
  for await (const line of readFileLines(earlier))
    if (line.member === memberOf(line.sha256, earlier.cipher)) known.set(line.sha256, line)
  return known
}

/** SHA-256 and size of a file of the file store; undefined when there is none. */
export async function hashFile(
  files: FileStore,
  name: string,
): Promise<Omit<FileToCopy, 'name'> | undefined> {
  const stored = await files.read(name)
  if (!stored) return undefined
  const { bytes, result } = measure(stored)
  for await (const _ of bytes);
  return result()
}

/**
 * Takes a file of an archive to the file store, where it has no name yet.
 * @throws BackupError when its bytes are not those that the archive lists
 */
export async function spoolFile(
  files: FileStore,
  { store, folder, cipher }: Place,
  { member, size, sha256 }: FileLine & { member: string },
): Promise<Spooled> {
  const sealed = await store.read(folder, member)
  const spooled = await files.spool(cipher ? await cipher.decrypt(sealed) : sealed, size)
  if (spooled.sha256 === sha256) return spooled
  await spooled.drop()
  throw new BackupError('Um arquivo do backup não é o que a lista diz')
}
