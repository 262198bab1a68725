import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
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
const admin = await colleague('admin')
const { conversations } = await admin.call<ArchivedPage>('GET', '/api/conversations/archived?limit=50')
const archived = conversations.toSorted((a, b) => b.messageCount - a.messageCount)[0]

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

/** Notes from the beginning of each page what moves on it. */
async function watched(options: Parameters<typeof newContext>[1]): Promise<Page> {
  const context = await newContext(browser, options)
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
  return context.newPage()
}

async function expectNothingMoved(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const moves = await rightNow('it is loaded: what has moved has moved', movesOf(page))
  const all = moves.reduce((sum, { value }) => sum + value, 0)
  if (all >= hardlyAnything) expect(moves).toEqual([])
}

describe.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await watched({ session: { url, token: admin.token }, ...size })
  })

  const messages = (within: Page) =>
    within
      .getByRole('region', { name: 'Histórico de Mensagens' })
      .getByText(/^\d+ mensage(m|ns)$/)
      .waitFor()
  // Those of one thing are opened by their address: in a list a click has moved what it has moved.
  const opened = screens
    .filter(([name]) => !name.includes(':id') && name !== '/reports')
    .concat([
      ['/conversas-arquivadas/:id', `/conversas-arquivadas/${archived?.id}`, messages],
      [
        '/contacts/:id',
        `/contacts/${archived?.contact.id}`,
        (within) => within.getByRole('region', { name: 'Conversas' }).waitFor(),
      ],
      ['/reports', lastMonth, (within) => within.locator('svg[role=img]').first().waitFor()],
      [
        '/chat',
        `/chat?conversation=${longest?.id}`,
        (within) => within.getByRole('log').getByRole('article').first().waitFor(),
      ],
    ])
  test.each(opened)('nothing moves while %s is loaded', async (_name, address, shown) => {
    await page.goto(url + address)
    await shown(page)
    await expectNothingMoved(page)
  })

  test('nothing moves while the login is loaded', async () => {
    const login = await watched(size)
    await login.goto(url)
    await login.getByRole('button', { name: 'Entrar' }).waitFor()
    await expectNothingMoved(login)
  })
})
