import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { newContext } from './support/browser.ts'
import { lastMonth } from './support/last-month.ts'
import { rightNow } from './support/right-now.ts'
import { screens } from './support/screens.ts'
import { browser, colleague, url } from './support/stage.ts'

// Nothing moves while a screen is loaded: what is not known yet has its place from the beginning.

/** What a browser gives for some words that grow at the end of a line, which nobody sees as a movement. */
const hardlyAnything = 0.005

/** A chat that fills its screen. */
const open = await (await colleague('ana')).openConversations()
const longest = open.toSorted((a, b) => b.messageCount - a.messageCount)[0]

interface Move {
  /** As browsers weigh it: the part of the screen that has moved, times how far. */
  value: number
  /** 'SECTION 774→778: Avaliações' */
  what: string[]
}
interface Shift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** What has moved on the page so far. */
const movesOf = (page: Page) => page.evaluate(() => (window as unknown as { moves: Move[] }).moves)

describe.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    const { token } = await colleague('admin')
    const context = await newContext(browser, { session: { url, token }, ...size })
    await context.addInitScript(() => {
      const moves: Move[] = []
      Object.assign(window, { moves })
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
          if (!hadRecentInput)
            moves.push({
              value,
              what: sources.map(({ node, previousRect: from, currentRect: to }) => {
                const words = (node?.textContent ?? '').slice(0, 30)
                return `${node?.nodeName ?? '?'} ${from.x},${from.y} → ${to.x},${to.y}: ${words}`
              }),
            })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    page = await context.newPage()
  })

  // The others are opened from a list, where a click has moved what it has moved.
  const opened = screens
    .filter(([name]) => name !== '/simulador' && !name.includes(':id') && name !== '/reports')
    .concat([
      ['/reports', lastMonth, (page) => page.locator('svg[role=img]').first().waitFor()],
      [
        '/chat',
        `/chat?conversation=${longest?.id}`,
        (page) => page.getByRole('log').getByRole('article').first().waitFor(),
      ],
    ])
  test.each(opened)('nothing moves while %s is loaded', async (_name, address, shown) => {
    await page.goto(url + address)
    await shown(page)
    await page.waitForLoadState('networkidle')
    const moves = await rightNow('it is loaded: what has moved has moved', movesOf(page))
    const all = moves.reduce((sum, { value }) => sum + value, 0)
    if (all >= hardlyAnything) expect(moves).toEqual([])
  })
})
