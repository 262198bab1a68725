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
const mostAtOnce = 8

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

interface Parts {
  files: FileStore
  store: BackupStore
  cipher: BackupCipher | undefined
}

/**
 * Copies the files into the backup, each content once. What an earlier one has is not copied again. A file
 * that has gone meanwhile, or whose bytes are not those of its row, is listed as such.
 */
export async function copyFiles(
  { files, store, cipher }: Parts,
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
  const copied = new Map<string, Promise<FileLine>>()
  const lines: FileLine[] = []
  let reused = 0

  async function copyOne({ name, size, sha256 }: FileToCopy): Promise<FileLine> {
    const member = memberOf(sha256, cipher)
    const before = known.get(sha256)
    if (before && earlier && (await store.reuse(folder, member, earlier.folder))) {
      reused += 1
      return { ...before, name, member }
    }
    const bytes = await files.read(name)
    const gone = { name, member: null, size, sha256, storedSize: 0, storedSha256: sha256 }
    if (!bytes) return gone
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

  await sideBySide(wanted, mostAtOnce, async (file) => {
    const first = copied.get(file.sha256)
    const copying = first ?? copyOne(file)
    if (!first) copied.set(file.sha256, copying)
    const done = await copying
    // Of the same content one may be gone and another not.
    if (done.member === null && first) lines.push(await copyOne(file))
    else lines.push({ ...done, name: file.name })
    await progress.add(file.size)
  })
  const damaged = new Map(wanted.map(({ name, sha256 }) => [name, sha256]))
  const sealed = await seal(linesOf(lines), cipher)
  return {
    reused,
    files: {
      rows: lines.length,
      bytes: lines.reduce((sum, { member, size }) => sum + (member === null ? 0 : size), 0),
      missing: lines.filter(({ member }) => member === null).length,
      damaged: lines.filter(({ name, member, sha256 }) => member !== null && damaged.get(name) !== sha256)
        .length,
      index: [{ name: indexName, ...(await store.write(folder, indexName, sealed)) }],
    },
  }
}

async function* linesOf(lines: readonly FileLine[]): AsyncGenerator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`
}

/** By the hash of their bytes, of those that are stored under it. */
async function readEarlier(
  parts: Pick<Parts, 'store' | 'cipher'>,
  { folder, manifest }: Earlier,
): Promise<Map<string, FileLine>> {
  const known = new Map<string, FileLine>()
  for await (const line of readFileLines(parts, folder, manifest))
    if (line.member === memberOf(line.sha256, parts.cipher)) known.set(line.sha256, line)
  return known
}
