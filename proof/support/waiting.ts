import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks until it is so.
 * @param what for the error
 * @throws Error with the last value when it does not come true in time
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value> | Value,
  isSo: (value: Value) => boolean = Boolean,
  withinMs = 60_000,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs / 1000} s: ${what}; the last: ${JSON.stringify(value)}`)
    await sleep(50)
  }
}
