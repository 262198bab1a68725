import { growth } from '#server/maintenance/growth.ts'
import { schema } from '#server/schema/schema.ts'
import { getTableName } from 'drizzle-orm'
import type { Measured, TableSize } from './measure.ts'

/** A figure of each day, and how much it may grow besides by chance. */
export interface Tolerance {
  /** Of the median, over all days that are looked at. */
  share: number
  /** At least that much. */
  least: number
}

/** The first day by which what stays for a week or less has reached its number. */
export const settledFrom = (days: number): number => Math.max(8, Math.floor(days / 3))

/**
 * How much a series grows a day: the median of the slopes between all pairs of days (Theil and Sen), which a
 * few odd days do not change.
 */
export function slopeOf(series: readonly number[]): number {
  const slopes: number[] = []
  for (let a = 0; a < series.length; a++)
    for (let b = a + 1; b < series.length; b++) slopes.push(((series[b] ?? 0) - (series[a] ?? 0)) / (b - a))
  return median(slopes)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** @returns what a series grows over its days, if it is more than is tolerated */
export function growthOf(series: readonly number[], { share, least }: Tolerance): number | undefined {
  const grown = slopeOf(series) * (series.length - 1)
  return grown > Math.max(least, share * median(series)) ? grown : undefined
}

export interface Hurry {
  /** How many times as fast; 1 when it grows with the other. */
  times: number
  /** How much more the second half adds than it would at the rate of the first. */
  more: number
}

/** How much faster a series grows than another, in the second half of the days than in the first. */
export function hurry(series: readonly number[], beside: readonly number[]): Hurry {
  const half = series.length >> 1
  const rate = (from: number, to: number) =>
    slopeOf(series.slice(from, to)) / Math.max(1e-9, slopeOf(beside.slice(from, to)))
  const first = rate(0, half + 1)
  const second = rate(half, series.length)
  return {
    times: first <= 0 ? 1 : second / first,
    more: (second - first) * ((beside.at(-1) ?? 0) - (beside[half] ?? 0)),
  }
}

export type Kind = 'kept' | 'bounded' | 'trimmed'

/** What the register says of a table of the database: those of the job queue are bounded. */
export function kindOf(name: string): Kind {
  const key = keyOf(name)
  if (!key) return 'bounded'
  const rule = growth[key]
  return 'kept' in rule ? 'kept' : 'bounded' in rule ? 'bounded' : 'trimmed'
}

const keys = new Map<string, keyof typeof schema>(
  (Object.keys(schema) as (keyof typeof schema)[]).map((key) => [getTableName(schema[key]), key]),
)
const keyOf = (name: string): keyof typeof schema | undefined => keys.get(name)

/** In days: how long trimmed rows stay. */
export function termOf(name: string): number {
  const key = keyOf(name)
  const rule = key && growth[key]
  if (!rule || !('trimmed' in rule) || !rule.trimmed) return 0
  const [, count = '0', unit = ''] = /^(\d+)(?: (\w+))?$/.exec(rule.trimmed.after) ?? []
  return unit.startsWith('day') ? Number(count) : 0
}

/** A figure of a table, day by day. */
export const seriesOf = (days: readonly Measured[], name: string, figure: keyof TableSize): number[] =>
  days.map(({ tables }) => tables[name]?.[figure] ?? 0)
