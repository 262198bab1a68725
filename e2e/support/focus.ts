import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until it has the focus: what closes gives it away a moment after it has gone. */
export const expectFocused = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((node) => node === document.activeElement)).toBe(true)
