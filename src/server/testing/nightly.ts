import { test } from 'vitest'

/** Whether everything runs, as at night (`npm run nightly`); other runs leave out what takes long. */
export const isNight = process.env['TESTS'] === 'whole'

/** The `test` for what only the nightly run repeats. */
export const testAtNight: typeof test.skip = test.runIf(isNight)

/** A count, such as that of rounds that are alike: the whole one at night, otherwise the usual one. */
export const atNight = (whole: number, usual: number): number => (isNight ? whole : usual)

/** All items at night, otherwise `share` of them: the first, and others evenly spread over the list. */
export function spread<T>(items: readonly T[], share: number): readonly T[] {
  if (isNight || items.length <= share) return items
  const isTaken = (n: number) => Math.ceil((n * share) / items.length)
  return items.filter((_, n) => isTaken(n) < isTaken(n + 1))
}
