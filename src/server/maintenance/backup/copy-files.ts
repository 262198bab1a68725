import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BackupCipher, seal } from '#server/maintenance/archive/cipher.ts'
import { indexName, memberOf, readFileLines } from '#server/maintenance/archive/file-list.ts'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import type { FileToCopy } from './export-tables.ts'

/** Files that are copied side by side: each waits for the disk at its end. */
const mostAtOnce = 3

/** A finished backup, from which files are taken that it has. */
export interface Earlier {
  folder: string
  manifest: Manifest
}

export interface Copied {
  files: Manifest['files']
  /** How many were taken from the earlier backup. */
  reused: number
}

interface Dependencies {
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
}

/**
 * Copies the files into the backup, each content once. What an earlier one has is not copied again. A file
 * that has gone meanwhile, or whose bytes are not those of its row, is listed as such; others with the same
 * hash are not concerned.
 */
export async function copyFiles(
  { files, store, cipher }: Dependencies,
  folder: string,
  wanted: readonly FileToCopy[],
  earlier: Earlier | undefined,
  progress: Progress,
): Promise<Copied> {
  await progress.begin(
    'files',
    wanted.reduce((sum, { size }) => sum + size, 0),
  )
  const known = earlier ? await readEarlier({ store, cipher }, earlier) : new Map<string, FileLine>()
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
    const hash = createHash('sha256')
    let count = 0
    const measured = Readable.from(
      (async function* () {
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          hash.update(chunk)
          count += chunk.length
          yield chunk
        }
      })(),
      { objectMode: false },
    )
    const written = await store.write(folder, member, cipher ? await cipher.encrypt(measured) : measured)
    const { size: storedSize, sha256: storedSha256 } = written
    return { name, member, size: count, sha256: hash.digest('hex'), storedSize, storedSha256 }
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
async function readEarlier(
  { store, cipher }: Pick<Dependencies, 'store' | 'cipher'>,
  { folder, manifest }: Earlier,
): Promise<Map<string, FileLine>> {
  const known = new Map<string, FileLine>()
  for await (const line of readFileLines({ store, cipher }, folder, manifest))
    if (line.member === memberOf(line.sha256, cipher)) known.set(line.sha256, line)
  return known
}
