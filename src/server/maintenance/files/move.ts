import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sql } from 'drizzle-orm'
import { record } from '#server/audit/audit.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { type FileStore, newFileName } from '#server/platform/file-store.ts'
import type { FileHolder, Listed } from '#server/platform/file-store/holder.ts'
import { fileLock, type FilePlace, openPlaces, placeOfNew } from '#server/platform/file-store/places.ts'
import { type Relocated, relocate, Unfaithful } from '#server/platform/file-store/relocate.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { installation } from '#server/schema/installation.ts'
import { askRunningServers } from './running-servers.ts'

/** Files that are moved at once: each waits for the disk or the bucket. */
const mostAtOnce = 8
/** Hashes of so many files are looked up at a time. */
const lookedUpAtOnce = 500
/** A file that is just being removed is looked at again after this. */
const busyWaitMs = 500
const mostPasses = 20
const onlyMove = 'move-files'

/** How far a move is. Files that come meanwhile are added. */
export interface MoveProgress {
  files: number
  bytes: number
  ofFiles: number
  ofBytes: number
}

export interface Moved {
  to: FilePlace
  files: number
  bytes: number
  /** Whose bytes are not those that were received; they were moved as they are. */
  damaged: number
  /** Of other instances, which have a disk of their own. */
  otherDisks: string[]
}

interface Dependencies {
  config: Config
  database: Database
  files: FileStore
}

/**
 * Moves all files to the other place while the server runs. From the beginning new files go there; the others
 * follow one by one, each of which is read back before it is removed where it was. Whatever ends this, every
 * file can be read, and the next move goes on.
 * @param progress called after each file. What it throws ends the move
 * @throws BackupError when it cannot be done, BucketError, DiskFull
 */
export async function moveFiles(
  { config, database, files }: Dependencies,
  to: FilePlace,
  progress: (far: MoveProgress) => Promise<void>,
): Promise<Moved> {
  const places = openPlaces(config)
  const { s3 } = places
  if (!s3) throw new BackupError('Falta o bucket: defina S3_… ou MEDIA_S3_… no ambiente deste comando')
  const otherDisks = await refuseOtherBuckets(database, config)
  const source = places[to === 's3' ? 'disk' : 's3'] ?? s3
  const locks = await openLocks(database)
  try {
    if (!(await locks.tryLock(onlyMove)))
      throw new BackupError('Outra mudança dos arquivos está em andamento')
    // Before anything is switched: a bucket that refuses would refuse new files as well.
    await tryBucket({ files, s3 })
    let left = await listAll(source.list())
    await switchTo(database, config, to)
    await failpoint('move.switched')
    const mover = {
      places,
      spool: (bytes: AsyncIterable<Uint8Array>, most: number) => files.spool(bytes, most),
    }
    const moved: Moved = { to, files: 0, bytes: 0, damaged: 0, otherDisks }
    const far: MoveProgress = { files: 0, bytes: 0, ofFiles: left.length, ofBytes: sizeOf(left) }
    await progress(far)

    async function moveOne({ name, sizeBytes }: Listed, sha256: string | undefined): Promise<void> {
      if (!(await locks.tryLock(fileLock(name)))) return
      try {
        note(moved, await relocate(mover, { name, to, sha256 }), sha256)
      } finally {
        await locks.unlock(fileLock(name))
      }
      far.files += 1
      far.bytes += sizeBytes
      await progress(far)
    }

    // Until nothing is left: files that began to be kept before the switch may have come since.
    for (let pass = 1; left.length > 0; pass++) {
      if (pass > mostPasses) throw new BackupError('Alguns arquivos estão em uso: repita o comando')
      if (pass > 1) await sleep(busyWaitMs)
      for (let at = 0; at < left.length; at += lookedUpAtOnce) {
        const some = left.slice(at, at + lookedUpAtOnce)
        const hashes = await hashesOf(database, some)
        await sideBySide(some, mostAtOnce, (file) => moveOne(file, hashes.get(file.name)))
      }
      left = await listAll(source.list())
      far.ofFiles = far.files + left.length
      far.ofBytes = far.bytes + sizeOf(left)
    }
    return moved
  } catch (error) {
    if (error instanceof Unfaithful)
      throw new BackupError(
        'No destino um arquivo não é lido como foi gravado: ele e os que faltam ficaram onde estavam',
      )
    throw error
  } finally {
    await locks.end()
  }
}

function note(moved: Moved, result: Relocated, sha256: string | undefined): void {
  if (result.kind === 'gone') return
  moved.files += 1
  moved.bytes += result.sizeBytes
  if (sha256 !== undefined && result.sha256 !== sha256) moved.damaged += 1
}

/** Writes, reads and removes a file, as everybody will. @throws BucketError */
async function tryBucket({ files, s3 }: { files: FileStore; s3: FileHolder }): Promise<void> {
  const spooled = await files.spool(Readable.from([Buffer.from('ok')]), 10)
  const name = newFileName()
  try {
    await s3.keep(name, spooled)
    const bytes = await s3.read(name)
    bytes?.destroy()
    await s3.remove(name)
  } finally {
    await spooled.drop()
  }
}

const sizeOf = (files: readonly Listed[]) => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

async function listAll(listed: AsyncIterable<Listed>): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const file of listed) all.push(file)
  return all
}

/**
 * A server that does not know this bucket would no longer find the files.
 * @returns the other machines that keep files on a disk of their own
 * @throws BackupError
 */
async function refuseOtherBuckets(database: Database, config: Config): Promise<string[]> {
  const servers = await askRunningServers(database, config)
  const other = servers.find(({ isSameBucket }) => !isSameBucket)
  if (other)
    throw new BackupError(
      `O servidor em ${other.host} não usa este bucket: ponha S3_… ou MEDIA_S3_… também no ambiente dele, ` +
        'reinicie-o e repita o comando',
    )
  return [...new Set(servers.filter(({ isSameDisk }) => !isSameDisk).map(({ host }) => host))]
}

async function switchTo(database: Database, config: Config, to: FilePlace): Promise<void> {
  await inTransaction(database, async (db) => {
    const before = await placeOfNew(config, db)
    await db.update(installation).set({ filePlace: to })
    if (before !== to) await record(db, 'command', { action: 'maintenance.media_move', details: { to } })
  })
}

/** What the files are to be, of those of which it is known. */
async function hashesOf(database: Database, files: readonly Listed[]): Promise<Map<string, string>> {
  const names = files.map(({ name }) => name)
  const found = await rows<{ name: string; sha256: string }>(
    database,
    sql`select name, sha256 from files where name = any(${sql.param(names)}::text[])`,
  )
  return new Map(found.map(({ name, sha256 }) => [name, sha256]))
}

/** Locks of names that last as long as the session. The keys are those of `lockName`. */
interface Locks {
  /** @returns whether it was free */
  tryLock(name: string): Promise<boolean>
  unlock(name: string): Promise<void>
  /** Releases all. */
  end(): Promise<void>
}

/** On a connection of its own: no transaction is open while files are moved, however long one takes. */
async function openLocks(database: Database): Promise<Locks> {
  const { default: driver } = await import('pg')
  const client: pg.Client = new driver.Client(database.pool.options)
  // What it is doing at that moment fails as well.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('set idle_session_timeout = 0')
  let last: Promise<unknown> = Promise.resolve()
  /** One after another, as a connection can. */
  const ask = (call: string, name: string) => {
    const answer = last.then(() =>
      client.query<{ isDone: boolean }>(`select ${call}(hashtextextended($1, 0)) as "isDone"`, [name]),
    )
    last = answer.catch(() => undefined)
    return answer
  }
  return {
    tryLock: async (name) => (await ask('pg_try_advisory_lock', name)).rows[0]?.isDone === true,
    unlock: async (name) => void (await ask('pg_advisory_unlock', name)),
    end: () => client.end().catch(() => undefined),
  }
}
