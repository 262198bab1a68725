import { mkdir, statfs } from 'node:fs/promises'
import type { Config } from '#server/platform/config.ts'
import { pgCode } from '#server/platform/database/db.ts'
import type { Figure, Figures } from '#server/platform/metrics.ts'

/**
 * What files leave free on a disk. The database may be on it as well, and goes on storing messages while
 * files are refused.
 */
export const reserveBytes = 200 * 1_048_576

/** A file would take what is left for the database. Has the code of a disk without any space. */
export class DiskFull extends Error {
  override name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/** Whether the disk has no room: of a file here, or of the database. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', '53100'].includes(pgCode(error) ?? '')
}

/** Bytes that can still be written into the folder, which is created if it is missing. */
export async function freeBytes(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Metrics of the disk of a folder; none where it cannot be measured. */
export async function diskFigures(folder: string): Promise<Figures> {
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk) return {}
  const figure = (help: string, blocks: number): Figure => ({ help, value: blocks * disk.bsize })
  return {
    balcao_disk_free_bytes: figure('What can still be written to the disk of DATA_DIR', disk.bavail),
    balcao_disk_size_bytes: figure('Size of the disk of DATA_DIR', disk.blocks),
  }
}

/** The disk on which the database is. */
export interface DatabaseDisk {
  /** Bytes that can still be written; undefined for a database whose disk is not seen from here. */
  freeBytes(): Promise<number | undefined>
}

export const databaseDiskOf = ({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseDisk => ({
  freeBytes: async () => (databaseUrl === undefined ? freeBytes(dataDir) : undefined),
})

/** Whether files may be written there. */
export async function hasRoom(folder: string, reserve = reserveBytes): Promise<boolean> {
  return (await freeBytes(folder)) > reserve
}

/** Space is measured again after so many bytes: other files are written meanwhile. */
const measuredEvery = 4 * 1_048_576

/** Passes the bytes of a file on. @throws DiskFull as soon as it would take what is left for the database */
export async function* withinRoom(
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
  reserve = reserveBytes,
): AsyncGenerator<Uint8Array> {
  let unmeasured = measuredEvery
  for await (const chunk of bytes) {
    unmeasured += chunk.length
    if (unmeasured >= measuredEvery) {
      unmeasured = 0
      if (!(await hasRoom(folder, reserve))) throw new DiskFull('the rest of the disk is for the database')
    }
    yield chunk
  }
}
