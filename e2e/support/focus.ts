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

/**
 * Waits for the message of a refused form, and until the form no longer moves the focus: it gives it to the
 * wrong field a second time by a timer, a moment after the message is visible. What was being filled in
 * between, by an insertion into whatever has the focus, would go into that field instead.
 */
export async function refusal(message: Locator): Promise<void> {
  await message.waitFor()
  await message.page().evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}

/** The accessible name of the focused element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const labelled = element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    return labelled.trim()
  })

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const seen: string[] = []
  for (let n = 0; n < 80; n++) {
    await page.keyboard.press(key)
    const now = await focused(page)
    if (name.test(now)) return
    seen.push(now.slice(0, 40))
  }
  throw new Error(`${name} is not reached by ${key}: ${seen.join(' | ')}`)
}
