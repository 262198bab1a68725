import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.ts'
import { isFull } from './full-run.ts'

/** Waits for the end of all animations, except infinite ones. */
export async function waitForAnimations(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        document
          .getAnimations()
          .every(
            ({ playState, effect }) =>
              playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
          ),
      ),
    )
    .toBe(true)
}

/** Waits until axe finds no violations. */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForAnimations(page)
  await expect.poll(() => violations(page)).toEqual([])
}

/**
 * Waits until axe finds no violations and nothing is wider than the page. Contrast and the size of targets
 * are only checked in the full run: `expectAccessible` does so for every screen.
 */
export async function expectSound(page: Page, width: number): Promise<void> {
  await waitForAnimations(page)
  await expect.poll(() => violations(page, isFull)).toEqual([])
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
}

/** A notification, also if it is behind a dialog. */
export const toastOn = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notificações', includeHidden: true }).getByText(text)
