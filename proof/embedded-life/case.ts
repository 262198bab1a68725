import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBench } from '#server/platform/embedded-postgres/testing.ts'
import type { Random } from '#simulator/random.ts'

/** Folders and programs of a case, all ended and removed by `clear`. */
export interface CaseEnvironment extends ReturnType<typeof makeBench> {
  random: Random
  rounds: number
  /** run at the end, last one first, before the folders go */
  onClear(work: () => unknown): void
}

/** `run` returns the figure that is printed, and throws when something does not hold. */
export interface Case {
  name: string
  needsRoot?: true
  /** needs the whole program, over HTTP */
  isProgram?: true
  run(at: CaseEnvironment): Promise<string>
}

/** Everything here runs with the durability of real use. */
export const real = { durable: true } as const

export function createCaseEnvironment(random: Random, rounds: number): CaseEnvironment {
  const bench = makeBench()
  const works: (() => unknown)[] = []
  return {
    ...bench,
    // A server held by this process would be started again when it is ended from outside.
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

/** @returns milliseconds that the work took, with what it gave */
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

/** Calls until there is a value. @throws after `withinMs`, with the name of what was waited for */
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

/** The message of a refused start. @throws when it was not refused */
export async function refusal(start: Promise<{ stop(): Promise<void> }>): Promise<string> {
  const server = await start.catch((error: unknown) => {
    if (error instanceof Error) return error
    throw error
  })
  if (server instanceof Error) return server.message
  await server.stop()
  throw new Error('it should have been refused')
}

/** The text of a file, or nothing when there is none. */
export function textOf(...path: string[]): Promise<string | undefined> {
  return readFile(join(...path), 'utf8').catch(() => undefined)
}
