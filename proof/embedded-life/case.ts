import { setTimeout as sleep } from 'node:timers/promises'
import { makeBench } from '#server/platform/embedded-postgres/testing/testing.ts'
import type { Random } from '#simulator/random.ts'

/** The folders and programs of a case, which `clear` stops and removes. */
export interface CaseEnvironment extends ReturnType<typeof makeBench> {
  random: Random
  rounds: number
  /** Called at the end, last one first, before the folders are removed. */
  onClear(work: () => unknown): void
}

/** `run` returns the figure to print, and throws if a check fails. */
export interface Case {
  name: string
  needsRoot?: boolean
  run(at: CaseEnvironment): Promise<string>
}

/** The durability settings of production. */
export const real = { durable: true } as const

export function createCaseEnvironment(random: Random, rounds: number): CaseEnvironment {
  const bench = makeBench()
  const works: (() => unknown)[] = []
  return {
    ...bench,
    // A server that this process still uses would be restarted when it is killed from outside.
    start: async (dataDir, options) => {
      const server = await bench.start(dataDir, options)
      works.push(() => server.stop())
      return server
    },
    random,
    rounds,
    onClear: (work) => works.push(work),
    async clear() {
      for (const work of works.splice(0).toReversed()) await work()
      await bench.clear()
    },
  }
}

/** @returns how long the work took, in milliseconds, and its result */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: Math.round(performance.now() - start), value }
}

/** `'21 ms p50, 29 ms max'` */
export function spread(figures: number[]): string {
  const sorted = figures.toSorted((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)]} ms p50, ${sorted.at(-1)} ms max`
}

/** Calls until there is a value. @throws Error after `withinMs`, with `what` in its message */
export async function eventually<T>(
  name: string,
  find: () => Promise<T | undefined>,
  withinMs = 20_000,
): Promise<T> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(10)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`nothing within ${withinMs} ms: ${name}`)
}
