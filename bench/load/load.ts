import { performance } from 'node:perf_hooks'
import type { Pool } from 'undici'

/** One call. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface LoadResult {
  /** Milliseconds of each call, in the order of the answers. */
  latencies: number[]
  seconds: number
  /** Calls by status; those without an answer count under 0. */
  statuses: Map<number, number>
  bytes: number
}

export interface LoadOptions {
  connections: number
  /** The run ends after `ms` or `count` calls, whichever is first. */
  ms?: number
  count?: number
  /** Calls a second over all connections; by default each connection calls again after each answer. */
  perSecond?: number
}

/** Makes calls over several connections until the time or the number is reached. */
export async function runLoad(
  http: Pool,
  next: () => HttpRequest,
  options: LoadOptions,
): Promise<LoadResult> {
  const { connections, ms = Infinity, count = Infinity, perSecond } = options
  const result: LoadResult = { latencies: [], seconds: 0, statuses: new Map(), bytes: 0 }
  const started = performance.now()
  let made = 0
  const work = async () => {
    for (;;) {
      if (made >= count || performance.now() - started >= ms) return
      const turn = made++
      if (perSecond) await until(started + (turn * 1000) / perSecond)
      await queryNumber(http, next(), result)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  result.seconds = (performance.now() - started) / 1000
  return result
}

async function queryNumber(
  http: Pool,
  { method, path, headers, body }: HttpRequest,
  into: LoadResult,
): Promise<void> {
  const at = performance.now()
  let status = 0
  try {
    const answer = await http.request({ method, path, ...(headers && { headers }), ...(body && { body }) })
    for await (const chunk of answer.body) into.bytes += (chunk as Buffer).length
    status = answer.statusCode
  } catch {
    // Counted under 0.
  }
  into.latencies.push(performance.now() - at)
  into.statuses.set(status, (into.statuses.get(status) ?? 0) + 1)
}

async function until(at: number): Promise<void> {
  const wait = at - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

/** @throws Error if a call had another status, since refusals must not be measured */
export function allAnswered({ statuses }: LoadResult, ...good: number[]): void {
  for (const [status, n] of statuses)
    if (!good.includes(status)) throw new Error(`${n} calls answered with ${status || 'nothing'}`)
}

/** @param part for example 0.5 for the median */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
