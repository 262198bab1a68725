/** Properties that a value has at least; of a list only its length. */
type Wanted<T> = T extends readonly unknown[]
  ? { length: number }
  : T extends object
    ? { readonly [Name in keyof T]?: Wanted<T[Name]> }
    : T

const has = (value: unknown, wanted: unknown): boolean =>
  typeof wanted === 'object' && wanted !== null
    ? typeof value === 'object' && value !== null
      ? Object.entries(wanted).every(([name, one]) => has(value[name as keyof typeof value], one))
      : false
    : Object.is(value, wanted)

/**
 * Repeats the question until the answer is accepted, or fails with the last answer.
 * @param good accepts an answer, or is the answer or properties that it must have
 */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  good: ((value: T) => boolean) | Wanted<T>,
  withinMs = 20_000,
): Promise<T> {
  const isGood = typeof good === 'function' ? (good as (value: T) => boolean) : (value: T) => has(value, good)
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await ask()
    if (isGood(value)) return value
    if (performance.now() > deadline)
      throw new Error(`never came true; last: ${JSON.stringify(value)?.slice(0, 1000)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
