import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until an element has the focus, which a closing overlay returns a moment later. */
export const expectFocused = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((node) => node === document.activeElement)).toBe(true)

/**
 * Presses Escape when the page is idle. A dialog handles Escape two renders after it is visible; until then
 * the layer below would close instead.
 */
export async function pressEscape(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })))
  // oxlint-disable-next-line house/settled-escape -- here it is
  await page.keyboard.press('Escape')
}
