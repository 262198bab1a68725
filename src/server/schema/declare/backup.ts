import type { SQL } from 'drizzle-orm'
import type { Restored } from './restored.ts'

/** What a restore can bring back without the other. */
export type Part = 'settings' | 'complete'

/** What a backup has of a table. */
export type Backup =
  | {
      part: Part
      /** Which rows, of the table as 't'; absent: all. */
      where?: SQL
      /** Columns that are left out: secrets of people, and what is of this moment only. */
      without?: string
      /** What the table holds, as the screen of a restore calls it. */
      label: string
      restored: Restored
      left?: never
    }
  /** Nothing, and why. */
  | { left: string; part?: never; where?: never; without?: never; label?: never; restored?: never }

export const computed = { left: 'computed from the others' } as const
export const momentary = { left: 'of what is under way' } as const

/**
 * What a whole installation is taken for: to stand in a folder, to go on in another database at once, or to
 * be put back where it is after an upgrade.
 */
export type Purpose = 'copy' | 'move' | 'upgrade'

/** For what the rows of a table are not taken, and why. */
export interface WholeCopy {
  leftOutOf: readonly Purpose[]
  why: string
}
