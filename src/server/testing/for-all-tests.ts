import { afterAll, beforeAll } from 'vitest'

/**
 * What all tests of a file, or of the `describe` block it stands in, share: made before the first of them,
 * after what was asked for above it, and closed or stopped after the last one. Until then it is empty.
 * @param make makes an object of properties, not an instance of a class
 */
export function forAllTests<Made extends object>(make: () => Promise<Made>): Made {
  const shared = {}
  beforeAll(async () => void Object.assign(shared, await make()))
  afterAll(async () => {
    for (const name of ['close', 'stop'] as const)
      if (name in shared) await (shared as Record<typeof name, () => unknown>)[name]()
  })
  return shared as Made
}
