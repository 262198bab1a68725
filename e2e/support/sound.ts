import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.ts'

/** Nothing keeps anybody out, and nothing is wider than the page. What comes in by moving is looked at when it stands. */
export async function expectSound(page: Page, width: number): Promise<void> {
  await page.waitForTimeout(300)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
}

/** A notification, also while a dialog stands before it. */
export const toastOn = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notificações', includeHidden: true }).getByText(text)
