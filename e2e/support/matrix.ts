import { describe, test } from 'vitest'
import { sampled, testOneOf as oneOf } from '#server/testing/inputs/sampled.ts'
import { isFull } from './full-run.ts'

// What every run tests, and what only the full run (`E2E=full`) repeats at other widths and in other themes.
// See docs/testing.md.

/** The values for every run, in the full run followed by `others`. */
export const inFullAlso = <const A, const B>(
  always: readonly A[],
  others: readonly B[],
): readonly (A | B)[] => (isFull ? [...always, ...others] : always)

/** A random share of what is alike; in the full run all of it. */
export const shareOf = <T>(items: readonly T[], share: number): readonly T[] =>
  isFull ? items : sampled(items, share)

/** The `test` for what is not part of the product, or is covered by another test of every run. */
export const testInFull: typeof test.skip = test.runIf(isFull)

/** The `test` for what rarely breaks by itself: a run takes one of so many, by chance; the full run all. */
export const testOneOf = (many: number): typeof test.skip => (isFull ? test : oneOf(many))

/** A group of such tests. */
export const describeInFull: typeof describe.skip = describe.runIf(isFull)

/** From this width on, in CSS pixels, the navigation is a column; below, a drawer. */
const deskFrom = 768

/**
 * The `test` of a group of several widths, for what does not depend on the width: every run has the wide one,
 * the full run also the narrow one.
 * @param many a run takes one of so many, by chance
 */
export const atDesk = (width: number, many = 1): typeof test.skip =>
  isFull || width < deskFrom ? test.runIf(isFull) : testOneOf(many)
