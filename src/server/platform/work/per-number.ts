import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from './worker.ts'

/** What came of the work for numbers. */
export interface Done<Result> {
  /** By number; of those that failed, or take longer, there is none. */
  results: Map<number, Result>
  /** Whether every number has a result. */
  isWhole: boolean
}

/** Work for one number at a time each, on all numbers side by side. */
export interface PerNumber<Result> {
  /** Joins what is under way. @throws the first failure, once everything has ended */
  all(instanceIds: readonly number[]): Promise<Result[]>
  /**
   * Begins where nothing is under way, and waits for at most `patienceMs`: what takes longer goes on by
   * itself.
   * @throws the first failure when nothing else has come of it; others go to `onFailure`
   */
  some(instanceIds: readonly number[], patienceMs: number): Promise<Done<Result>>
  /** Resolves when nothing is under way. */
  ended(): Promise<void>
}

/** A worker that stops once the work that continued has ended, too. */
export const endingWith = (worker: Worker, perNumber: Pick<PerNumber<unknown>, 'ended'>): Worker => ({
  ...worker,
  async stop() {
    await worker.stop()
    await perNumber.ended()
  },
})

/** So that a number whose gateway is slow, or fails, holds up no other. */
export function createPerNumber<Result>(
  work: (instanceId: number) => Promise<Result>,
  onFailure: (error: unknown, instanceId: number) => void,
): PerNumber<Result> {
  const underWay = new Map<number, Promise<Result>>()

  function begin(instanceId: number): Promise<Result> {
    const begun = work(instanceId).finally(() => underWay.delete(instanceId))
    underWay.set(instanceId, begun)
    return begun
  }

  return {
    async all(instanceIds) {
      const ended = await Promise.allSettled(instanceIds.map((id) => underWay.get(id) ?? begin(id)))
      const failed = ended.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    },
    async some(instanceIds, patienceMs) {
      const results = new Map<number, Result>()
      const failures: { error: unknown; id: number }[] = []
      let isWaiting = true
      const begun = instanceIds
        .filter((id) => !underWay.has(id))
        .map(async (id) => {
          try {
            const result = await begin(id)
            if (isWaiting) results.set(id, result)
          } catch (error) {
            if (isWaiting) failures.push({ error, id })
            else onFailure(error, id)
          }
        })
      const waiting = new AbortController()
      await Promise.race([
        Promise.all(begun),
        sleep(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ])
      waiting.abort()
      isWaiting = false
      const [first] = failures
      if (first && results.size === 0) throw first.error
      for (const { error, id } of failures) onFailure(error, id)
      return { results, isWhole: results.size === instanceIds.length }
    },
    ended: async () => void (await Promise.allSettled(underWay.values())),
  }
}
