import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until it has the focus: what closes gives it away a moment after it has gone. */
export const expectFocused = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((node) => node === document.activeElement)).toBe(true)

/**
 * Presses Escape once the page is at rest. A dialog hears Escape two renders after it is seen; until then the
 * layer below it does, and closes instead.
 */
export async function pressEscape(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  // oxlint-disable-next-line house/settled-escape -- here it is
  await page.keyboard.press('Escape')
}
