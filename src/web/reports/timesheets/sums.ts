import type { Timesheet } from '#shared/workday/timesheets.ts'

const summed = [
  'logged',
  'available',
  'paused',
  'counted',
  'away',
  'pauses',
  'over',
  'overSeconds',
  'taken',
  'answered',
  'finished',
] as const
export type Sums = Record<(typeof summed)[number], number>

/** The sums of some days. */
export function sumOf(sheets: readonly Timesheet[]): Sums {
  const total = Object.fromEntries(summed.map((name) => [name, 0])) as Sums
  for (const sheet of sheets) for (const name of summed) total[name] += sheet[name]
  return total
}

/** Available, and in pauses that count as work. */
export const productive = ({ available, counted }: Sums): number => available + counted

/** Somebody's working days of a period. */
export interface PersonSheets {
  userId: number
  name: string
  pictureUrl: string | null
  sheets: readonly Timesheet[]
  sums: Sums
}
