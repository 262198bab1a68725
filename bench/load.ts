import { performance } from 'node:perf_hooks'
import type { Pool } from 'undici'

/** One call, ready to be made. */
export interface Shot {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Shooting {
  /** Milliseconds of each call, in the order of the answers. */
  latencies: number[]
  seconds: number
  /** Calls by status; what is no answer counts under 0. */
  statuses: Map<number, number>
  bytes: number
}

export interface LoadOptions {
  connections: number
  /** One of both ends it. */
  ms?: number
  count?: number
  /** Calls a second over all connections; absent: each follows the answer of the last. */
  perSecond?: number
}

/** Makes calls, so many at once, until the time or the number is over. */
export async function shoot(http: Pool, next: () => Shot, options: LoadOptions): Promise<Shooting> {
  const { connections, ms = Infinity, count = Infinity, perSecond } = options
  const result: Shooting = { latencies: [], seconds: 0, statuses: new Map(), bytes: 0 }
  const started = performance.now()
  let made = 0
  const work = async () => {
    for (;;) {
      if (made >= count || performance.now() - started >= ms) return
      const turn = made++
      if (perSecond) await until(started + (turn * 1000) / perSecond)
      await one(http, next(), result)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  result.seconds = (performance.now() - started) / 1000
  return result
}

async function one(http: Pool, { method, path, headers, body }: Shot, into: Shooting): Promise<void> {
  const at = performance.now()
  let status = 0
  try {
    const answer = await http.request({ method, path, ...(headers && { headers }), ...(body && { body }) })
    for await (const chunk of answer.body) into.bytes += (chunk as Buffer).length
    status = answer.statusCode
  } catch {
    // Counted as what it is: no answer.
  }
  into.latencies.push(performance.now() - at)
  into.statuses.set(status, (into.statuses.get(status) ?? 0) + 1)
}

async function until(at: number): Promise<void> {
  const wait = at - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

/** @throws when anything was answered otherwise: a figure of refusals is none */
export function allAnswered({ statuses }: Shooting, ...good: number[]): void {
  for (const [status, n] of statuses)
    if (!good.includes(status)) throw new Error(`${n} chamadas respondidas com ${status || 'nada'}`)
}

/** @param part 0.5 for the median */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
