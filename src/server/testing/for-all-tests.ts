import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/**
 * What all tests of a file, or of the `describe` block it stands in, share: made before the first of them,
 * after what was asked for above it, and closed after the last one, or stopped if it cannot be closed. Until
 * then it is empty.
 * @param make makes an object of properties, not an instance of a class
 */
export function forAllTests<Made extends object>(make: () => Promise<Made>): Made {
  const shared = {}
  beforeAll(async () => void Object.assign(shared, await make()))
  afterAll(async () => {
    const end = (['close', 'stop'] as const).find((name) => name in shared)
    if (end) await (shared as Record<typeof end, () => unknown>)[end]()
  })
  return shared as Made
}

/** @returns the path of a new folder, which is removed after the last test of the file or `describe` block */
export function folderForTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-tests-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
