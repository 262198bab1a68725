import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { createRandom } from '#simulator/random.ts'

/**
 * `npm run test:whole` runs everything. Other runs take a random share of the tests that would take minutes.
 */
export const isWhole = process.env['TESTS'] === 'whole'

/** The number of rounds of a test whose rounds are alike. */
export const rounds = (whole: number, share: number): number => (isWhole ? whole : share)

/** The `test` for what takes long and rarely finds anything: a run takes one of so many, by chance. */
export const testOneOf = (many: number): typeof test.skip => test.runIf(isWhole || randomInt(many) === 0)

/** The `test` for what only the whole run repeats. */
export const testInWhole: typeof test.skip = test.runIf(isWhole)

/** A random share of the items, in their order. Name the item in each assertion. */
export function sampled<T>(items: readonly T[], share: number): readonly T[] {
  if (isWhole || items.length <= share) return items
  const random = createRandom(Date.now())
  const chosen = new Set(
    items
      .map((_, index) => ({ index, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, share)
      .map(({ index }) => index),
  )
  return items.filter((_, index) => chosen.has(index))
}
