import { loadavg } from 'node:os'
import { median } from './load.ts'

/** What a slice measured, by the keys of the figures. */
export type Sample = Record<string, number>

export interface Limit {
  /** Of ours to the floor's. */
  ratio?: number
  /** Of ours alone, in the figure's unit. */
  value?: number
}

export interface Figure {
  key: string
  title: string
  unit: string
  better: 'lower' | 'higher'
  /** What the part of the work has to reach. @see issue 4 */
  land?: Limit
  /** @see quality/performance.md */
  aim?: Limit
}

/** A question that is answered by yes or no. */
export interface Check {
  title: string
  holds: boolean
  said: string
}

export interface Scenario {
  name: string
  title: string
  figures: Figure[]
  /** One slice of each, in an order that rotates; 'nosso' is ours, 'piso' the floor, the rest are peers. */
  sides: Record<string, (round: number) => Promise<Sample>>
  /** Fewer rounds than the others have, where a slice is a whole run. */
  rounds?: number
  /** After the last round. */
  finish?: () => Promise<Check[]>
}

/** One figure's values of the rounds that were steady, by side. */
export type Series = Record<string, Record<string, number[]>>

export interface Played {
  series: Series
  checks: Check[]
  /** Rounds in which the machine was steady; the others count for nothing. */
  steady: number
  rounds: number
  /** The reference loop, fastest and slowest, in milliseconds. */
  reference: [number, number]
  loadAverage: number
}

const steadyWithin = 1.5

/** A fixed piece of work: how quick the machine is at this moment, in milliseconds. */
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

/** Plays the sides against each other; a round in which the machine itself changed its pace is put aside. */
export async function play(scenario: Scenario, rounds: number, say: (line: string) => void): Promise<Played> {
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
    loadAverage = Math.max(loadAverage, loadavg()[0] ?? 0)
    const isSteady = Math.max(...seen) <= Math.min(...seen) * steadyWithin
    ;(isSteady ? kept : unsteady).push(samples)
    say(
      `  rodada ${round + 1}/${count}: referência ${seen.map((ms) => ms.toFixed(0)).join(' ')} ms, carga ${(loadavg()[0] ?? 0).toFixed(1)}${isSteady ? '' : ' — descartada, a máquina mudou de passo'}`,
    )
  }
  // Better something under a warning than nothing at all.
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

/** Of the values of two sides in the same rounds. */
export function ratios(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, round) => value / (others[round] ?? Number.NaN)).filter(Number.isFinite)
}

export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(values: readonly number[]): Spread | undefined {
  const known = values.filter(Number.isFinite)
  if (known.length === 0) return undefined
  return { median: median(known), min: Math.min(...known), max: Math.max(...known) }
}
