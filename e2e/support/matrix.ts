import { test } from 'vitest'
import { isFull } from './full-run.ts'

// What every run looks at, and what only the full run (`E2E=full`) repeats at other widths and in other
// themes; docs/testing.md says why.

/** In the full run also the others; every run looks at the first ones. */
export const inFullAlso = <const A, const B>(
  always: readonly A[],
  others: readonly B[],
): readonly (A | B)[] => (isFull ? [...always, ...others] : always)

/** The `test` of what is no part of the product, or shows again what another test of every run shows. */
export const testInFull: typeof test.skip = test.runIf(isFull)

/** From this width in CSS pixels on there is a column for the navigation; below, a drawer. */
const deskFrom = 768

/**
 * The `test` of a group that runs at several widths, for what does not depend on the width: at a desk in
 * every run, on a telephone in the full run.
 */
export const atDesk = (width: number): typeof test.skip => test.runIf(isFull || width >= deskFrom)
