import { describe, test } from 'vitest'
import { isFull } from './full-run.ts'

// What only the full run (`E2E=full`) tests. See docs/testing.md.

/** The values of every run, in the full run followed by `others`. */
export const inFullAlso = <const A, const B>(
  always: readonly A[],
  others: readonly B[],
): readonly (A | B)[] => (isFull ? [...always, ...others] : always)

/** The `test` of the full run alone. */
export const testInFull: typeof test.skip = test.runIf(isFull)

/** A group of such tests. */
export const describeInFull: typeof describe.skip = describe.runIf(isFull)
