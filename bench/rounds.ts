import { loadavg } from 'node:os'
import { median } from './load/load.ts'

/** What one slice measured, by the keys of the figures; NaN for a figure that the side does not have. */
export type Sample = Record<string, number>

/** Has one of the two. */
export interface Aim {
  /** Ours divided by the floor's. */
  ratio?: number
  /** Ours alone, in the figure's unit. */
  value?: number
}

export interface Figure {
  key: string
  title: string
  unit: string
  better: 'lower' | 'higher'
  /** Each is judged separately; a figure without aims is only printed. */
  aims?: readonly Aim[]
}

const figure =
  (better: Figure['better']) =>
  (key: string, title: string, unit: string, ...aims: Aim[]): Figure => ({ key, title, unit, better, aims })
export const lower = figure('lower')
export const higher = figure('higher')

/** A property without a number. */
export interface Check {
  title: string
  holds: boolean
  /** What was observed. */
  detail: string
}

export interface Scenario {
  name: string
  title: string
  figures: Figure[]
  /** Measures a slice of each side, in rotating order: 'ours', 'floor', and any peers. */
  sides: Record<string, (round: number) => Promise<Sample>>
  /** The maximum number of rounds, for slices that take long. */
  rounds?: number
  /** Called after the last round. */
  finish?: () => Promise<Check[]>
}

/** Each figure's values in the rounds that count, by side. */
export type Series = Record<string, Record<string, number[]>>

export interface Measurement {
  series: Series
  checks: Check[]
  /** Rounds during which the machine's speed was steady; others are discarded. */
  steady: number
  rounds: number
  /** The reference loop, fastest and slowest, in milliseconds. */
  reference: [number, number]
  loadAverage: number
}

const steadyWithin = 1.5

/** How long a fixed computation takes now, in milliseconds. */
function referenceMs(): number {
  const once = () => {
    const started = performance.now()
    const list = Array.from({ length: 400 }, (_, id) => ({
      id,
      name: `Cliente ${id}`,
      tags: ['a', 'b'],
      at: id * 1000,
    }))
    for (let n = 0; n < 100; n++) JSON.parse(JSON.stringify(list))
    return performance.now() - started
  }
  return Math.min(once(), once(), once())
}

/** Runs all sides of a scenario in rounds, and discards those during which the machine's speed changed. */
export async function measure(
  scenario: Scenario,
  rounds: number,
  print: (line: string) => void,
): Promise<Measurement> {
  const names = Object.keys(scenario.sides)
  const kept: Record<string, Sample>[] = []
  const unsteady: Record<string, Sample>[] = []
  const references: number[] = []
  const count = Math.min(rounds, scenario.rounds ?? rounds)
  let loadAverage = 0
  for (let round = 0; round < count; round++) {
    const order = names.map((_, n) => names[(n + round) % names.length] ?? '')
    const seen: number[] = []
    const samples: Record<string, Sample> = {}
    for (const name of order) {
      seen.push(referenceMs())
      samples[name] = (await scenario.sides[name]?.(round)) ?? {}
      seen.push(referenceMs())
    }
    references.push(...seen)
    const load = loadavg()[0] ?? 0
    loadAverage = Math.max(loadAverage, load)
    const isSteady = Math.max(...seen) <= Math.min(...seen) * steadyWithin
    ;(isSteady ? kept : unsteady).push(samples)
    const times = seen.map((ms) => ms.toFixed(0)).join(' ')
    const note = isSteady ? '' : ' — discarded, the machine changed its pace'
    print(`  round ${round + 1}/${count}: reference ${times} ms, load ${load.toFixed(1)}${note}`)
  }
  // Without a steady round, figures with a warning are better than none.
  const counted = kept.length > 0 ? kept : unsteady
  return {
    series: seriesOf(scenario, counted),
    checks: (await scenario.finish?.()) ?? [],
    steady: kept.length,
    rounds: count,
    reference: [Math.min(...references), Math.max(...references)],
    loadAverage,
  }
}

function seriesOf({ figures, sides }: Scenario, samples: Record<string, Sample>[]): Series {
  const valuesOf = (key: string, side: string) => samples.map((sample) => sample[side]?.[key] ?? Number.NaN)
  return Object.fromEntries(
    figures.map(({ key }) => [
      key,
      Object.fromEntries(Object.keys(sides).map((side) => [side, valuesOf(key, side)])),
    ]),
  )
}

/** Ours divided by another side's, round by round. */
export function ratios(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, round) => value / (others[round] ?? Number.NaN)).filter(Number.isFinite)
}

export interface Spread {
  median: number
  min: number
  max: number
}

/** @returns undefined if no value is finite */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const known = values.filter(Number.isFinite)
  if (known.length === 0) return undefined
  return { median: median(known), min: Math.min(...known), max: Math.max(...known) }
}
