import { setTimeout as sleep } from 'node:timers/promises'
import type { Operator } from './environment.ts'

/** A quantile. */
export function quantile(values: number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? 0
}

/** `p50 8, p99 40, máx 61 ms (n = 500)` */
export function spread(values: number[]): string {
  const at = (rank: number) => Math.round(quantile(values, rank))
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms (n = ${values.length})`
}

export interface Usage {
  rssMb: number
  heapMb: number
  cpuSeconds: number
}

/** Reads the program's metrics. */
export async function usageOf(url: string): Promise<Usage> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const number = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    rssMb: Math.round(number('process_resident_memory_bytes') / 1_048_576),
    heapMb: Math.round(number('nodejs_heap_size_used_bytes') / 1_048_576),
    cpuSeconds: number('process_cpu_seconds_total'),
  }
}

/** Another client, which fetches the list ten times a second. */
export class Fetcher {
  answers: number[] = []
  failures = 0
  #isOver = false
  readonly #running: Promise<void>

  constructor(url: string, operator: Operator) {
    this.#running = this.#run(url, operator)
  }

  /** Returns the durations of the answers since the last call, in milliseconds. */
  take(): number[] {
    const taken = this.answers
    this.answers = []
    return taken
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #run(url: string, { token }: Operator): Promise<void> {
    const headers = { authorization: `Bearer ${token}` }
    while (!this.#isOver) {
      const start = performance.now()
      try {
        const answer = await fetch(`${url}/api/conversations`, {
          headers,
          signal: AbortSignal.timeout(30_000),
        })
        await answer.arrayBuffer()
        if (answer.ok) this.answers.push(performance.now() - start)
        else this.failures++
      } catch {
        // The program is down, which is measured elsewhere.
      }
      await sleep(100)
    }
  }
}
