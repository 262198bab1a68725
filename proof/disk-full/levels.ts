import { reserveBytes } from '#server/platform/file-store/disk-room.ts'
import type { Random } from '#simulator/random.ts'

const megabyte = 1_048_576

/**
 * How full the disk is. `ample`: everything fits. `edge`: what is written reaches what is left for the
 * database. `reserved`: less than that is free. `sudden`: another program takes all of it while the work is
 * under way. `fallen`: then the embedded database writes until it goes down.
 */
export type LevelKind = 'ample' | 'edge' | 'reserved' | 'sudden' | 'fallen'

export interface Level {
  kind: LevelKind
  /** Bytes that are free when the work begins. */
  atFirst: number
  /** When the disk is filled further, in milliseconds after the beginning, and how much is left then. */
  later: { afterMs: number; leave: number } | undefined
}

/** The kinds in turn, those first that a short run is to have. */
const besideDatabase: readonly LevelKind[] = [
  'reserved',
  'sudden',
  'edge',
  'sudden',
  'edge',
  'ample',
  'edge',
  'sudden',
  'reserved',
  'edge',
]
const withDatabase: readonly LevelKind[] = ['fallen', 'edge', 'sudden', 'reserved', 'edge', 'fallen', 'ample']

/** @param hasDatabase whether the database is on the disk, too */
export function drawLevels(random: Random, count: number, hasDatabase: boolean): Level[] {
  const kinds = hasDatabase ? withDatabase : besideDatabase
  const within = (from: number, to: number) => Math.floor(from + random() * (to - from))
  let reserved = 0
  const draw = (kind: LevelKind): Level => {
    const ample = reserveBytes + within(120, 130) * megabyte
    switch (kind) {
      case 'ample':
        return { kind, atFirst: ample, later: undefined }
      case 'edge':
        // Files and rows take some ten megabytes, and the comparison of a backup asks for more.
        return { kind, atFirst: reserveBytes + Math.floor(random() ** 2 * 80 * megabyte), later: undefined }
      case 'reserved': {
        // Every other time nothing at all.
        const leave = within(0, reserveBytes)
        return { kind, atFirst: reserved++ % 2 === 0 ? leave : 0, later: undefined }
      }
      case 'sudden':
        return { kind, atFirst: ample, later: { afterMs: within(0, 3500), leave: within(0, megabyte) } }
      case 'fallen':
        return { kind, atFirst: ample, later: { afterMs: within(0, 3000), leave: 0 } }
    }
  }
  return Array.from({ length: count }, (_, n) => draw(kinds[n % kinds.length] as LevelKind))
}

export const describeLevel = ({ kind, atFirst, later }: Level): string => {
  const amount = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`
  const then = later ? `, ${amount(later.leave)} after ${later.afterMs} ms` : ''
  return `${kind}, ${amount(atFirst)} free${then}`
}
