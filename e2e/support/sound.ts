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

/** Waits until axe finds no violations: for a whole screen. */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForAnimations(page)
  await expect.poll(() => violations(page)).toEqual([])
}

/** The same for a state of a screen, such as an open menu or an error; in the full run alone. */
export async function expectAccessibleState(page: Page): Promise<void> {
  if (isFull) await expectAccessible(page)
}

/** The same, and in every run waits until nothing is wider than the page. */
export async function expectSound(page: Page, width: number): Promise<void> {
  await expectAccessibleState(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
}
