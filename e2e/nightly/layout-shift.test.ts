import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { newContext } from '../support/browser.ts'
import { rightNow } from '../support/right-now.ts'
import { screens } from '../support/screens.ts'
import { browser, colleague, url } from '../support/stage.ts'

// Nothing moves while a screen is loaded: what is not known yet has its place from the beginning.

/** What a browser gives for some words that grow at the end of a line, which nobody sees as a movement. */
const hardlyAnything = 0.005

/** How far everything has moved on the page so far, as browsers add it up ('cumulative layout shift'). */
const moved = (page: Page) => page.evaluate(() => (window as unknown as { moved: number }).moved)

describe.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    const { token } = await colleague('admin')
    const context = await newContext(browser, { session: { url, token }, ...size })
    await context.addInitScript(() => {
      const total = { moved: 0 }
      Object.assign(window, total)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        })[])
          if (!entry.hadRecentInput) (window as unknown as typeof total).moved += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    page = await context.newPage()
  })

  // The others are opened from a list, where a click has moved what it has moved.
  const opened = screens.filter(([name]) => name !== '/simulador' && !name.includes(':id'))
  test.each(opened)('nothing moves while %s is loaded', async (_name, address, shown) => {
    await page.goto(url + address)
    await shown(page)
    await page.waitForLoadState('networkidle')
    expect(await rightNow('what moved is added up until then', moved(page))).toBeLessThan(hardlyAnything)
  })
})
