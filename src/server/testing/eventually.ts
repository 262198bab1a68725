/**
 * Properties that a value has at least, each as a value or a function that accepts it; of a list its length,
 * or entries by their index, -1 for the last.
 */
type Wanted<T> = T extends readonly (infer One)[]
  ? { readonly length?: number | ((value: number) => boolean); readonly [index: number]: Wanted<One> }
  : T extends object
    ? { readonly [Name in keyof T]?: Wanted<T[Name]> | ((value: T[Name]) => boolean) }
    : T

const part = (value: object, name: string): unknown =>
  Array.isArray(value) && name !== 'length' ? value.at(Number(name)) : value[name as keyof typeof value]

const has = (value: unknown, wanted: unknown): boolean =>
  typeof wanted === 'function'
    ? (wanted as (value: unknown) => boolean)(value)
    : typeof wanted === 'object' && wanted !== null
      ? typeof value === 'object' && value !== null
        ? Object.entries(wanted).every(([name, one]) => has(part(value, name), one))
        : false
      : Object.is(value, wanted)

/** What an answer has that refuses a call. */
export const refusal = (status: number, code: string) => ({ status, body: { code } })

/** Accepts a list with this entry. */
export const including = (one: unknown) => (all: readonly unknown[]) => all.includes(one)

/** Accepts a list with an entry. */
export const filled = (all: readonly unknown[]) => all.length > 0

/** Accepts a list with an entry that has these properties. */
export const some = (wanted: object) => (all: readonly unknown[]) => all.some((one) => has(one, wanted))

/** Accepts a list all of whose entries have these properties. */
export const every = (wanted: object) => (all: readonly unknown[]) => all.every((one) => has(one, wanted))

/** Accepts anything else. */
export const not = (one: unknown) => (value: unknown) => !Object.is(value, one)

/** Accepts a greater number. */
export const above = (least: number) => (value: number) => value > least

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
