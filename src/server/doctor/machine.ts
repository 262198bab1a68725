import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Finding } from '#shared/doctor/doctor.ts'
import { machineMs } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { type FileStore, newFileName } from '#server/platform/file-store.ts'
import { reserveBytes } from '#server/platform/file-store/disk-room.ts'
import { spoolFolder } from '#server/platform/file-store/places.ts'
import { type DiskSpace, isDiskLow } from '#server/notices/notices.ts'
import { found } from './causes.ts'
import { inBytes } from './measures.ts'

// What an examination looks at on this machine.

/** Codes of the second factor are valid for 30 s, and messages are put in order by the gateway's clock. */
const mostApartMs = 10_000

/** Compares our clock with those of gateways, and of a database on another machine. */
export async function examineClock(
  db: Db,
  { databaseUrl }: Config,
  gatewaysAheadMs: readonly number[],
): Promise<Finding> {
  const others = gatewaysAheadMs.map((aheadMs) => ({ other: 'o da Evolution API', aheadMs }))
  if (databaseUrl !== undefined) {
    const before = machineMs()
    const [row] = await rows<{ ms: number }>(
      db,
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    )
    const here = (before + machineMs()) / 2
    others.push({ other: 'o do banco de dados', aheadMs: (row?.ms ?? here) - here })
  }
  const [first, ...rest] = others
  if (!first) return found('clock_alone')
  const worst = rest.reduce(
    (most, one) => (Math.abs(one.aheadMs) > Math.abs(most.aheadMs) ? one : most),
    first,
  )
  const seconds = Math.round(Math.abs(worst.aheadMs) / 1000)
  const name = Math.abs(worst.aheadMs) > mostApartMs ? 'clock_wrong' : 'clock_right'
  return found(name, { seconds, other: worst.other })
}

const slowMs = 100

export async function examineDatabase(db: Db): Promise<Finding> {
  const times: number[] = []
  let version = ''
  for (let n = 0; n < 3; n++) {
    const startedMs = performance.now()
    const [row] = await rows<{ version: string }>(
      db,
      sql`select current_setting('server_version') as version`,
    )
    times.push(performance.now() - startedMs)
    version = row?.version.split(' ', 1)[0] ?? ''
  }
  // The first one may have waited for a connection.
  const ms = Math.ceil(Math.min(...times))
  return found(ms > slowMs ? 'database_slow' : 'database_right', { ms, version })
}

export function examineDisk({ dataDir: folder }: Config, { free, total }: DiskSpace): Finding {
  const values = { free: inBytes(free), total: inBytes(total), folder }
  if (free <= reserveBytes) return found('disk_full', values)
  return found(isDiskLow({ free, total }) ? 'disk_low' : 'disk_right', values)
}

const probeBytes = 65_536

/** Stores a file, reads it back and removes it. */
export async function examineFiles(files: FileStore): Promise<Finding> {
  if (!(await files.hasRoom())) return found('files_waiting')
  const place = await files.describePlace()
  const bytes = randomBytes(probeBytes)
  const name = newFileName()
  const startedMs = performance.now()
  try {
    await files.keep(name, await files.spool(onePiece(bytes), probeBytes))
    try {
      const back = await files.read(name)
      const pieces: Buffer[] = []
      for await (const piece of back ?? []) pieces.push(piece as Buffer)
      if (!Buffer.concat(pieces).equals(bytes))
        throw Object.assign(new Error('differs'), { code: 'diferente' })
    } finally {
      await files.remove(name)
    }
  } catch (error) {
    const { code, name: kind } = error as { code?: string; name?: string }
    return found('files_failing', { place, code: code ?? kind ?? 'erro' })
  }
  const ms = Math.ceil(performance.now() - startedMs)
  return found('files_right', { size: inBytes(probeBytes), ms })
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

/** Rights of others to read the folder's list, or a file. */
const othersRead = 0o044

/** Whether we may write into the data folder, and nobody else may read in it. */
export async function examinePermissions({ dataDir: folder }: Config): Promise<Finding> {
  if (process.platform === 'win32') return found('permissions_elsewhere')
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await access(spoolFolder(folder), constants.W_OK)
  } catch {
    return found('permissions_denied', { folder })
  }
  const key = join(folder, 'secret.key')
  const modeOf = (path: string) =>
    stat(path).then(
      ({ mode }) => mode,
      () => 0,
    )
  if (((await modeOf(key)) & othersRead) !== 0) return found('permissions_open', { path: key, mode: '600' })
  // As root, the database's own account must pass through the folder: it does not read it.
  if (((await modeOf(folder)) & othersRead) !== 0)
    return found('permissions_open', { path: folder, mode: process.getuid?.() === 0 ? '711' : '700' })
  return found('permissions_right', { folder })
}
