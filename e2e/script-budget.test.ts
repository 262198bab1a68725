import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newContext } from './support/browser.ts'
import { browser, colleague, phones, url } from './support/stage.ts'

// The budget for the loaded JavaScript, in gzipped bytes.

/** What stands before the first screen is shown: 170 KiB. */
const firstLoad = 170 * 1024
/** What the dashboard loads below its figures, and when idle. */
const dashboardMore = 12_000
/** With the list of open conversations, which stands beside it, and what measures long lists. */
const chatMore = 106_000

/** Counts the scripts that are loaded. @returns a function for the bytes of all, and of those in the page */
function countScripts(page: Page): () => Promise<{ all: number; named: number }> {
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.set(
      new URL(response.url()).pathname,
      response.body().then(
        (body) => gzipSync(body, { level: 6 }).length,
        // What is loaded ahead goes on after the measurement, until the page is closed; in it no sum holds.
        () => Number.NaN,
      ),
    )
  })
  return async () => {
    await page.waitForLoadState('networkidle').catch(() => undefined)
    // Includes what is loaded when idle.
    await page.waitForTimeout(1000)
    const html = await (await fetch(url)).text()
    let [all, named] = [0, 0]
    for (const [path, size] of sizes) {
      all += await size
      if (html.includes(path)) named += await size
    }
    return { all, named }
  }
}

/**
 * What else is loaded where there are sectors: 'Equipe agora' of one of them and the notices about their
 * queues, and theirs in a chat; there also tags of conversations, and saved views of the list.
 */
const sectorsMore = { dashboard: 7500, chat: 7000 }
const nothing = { hasSectors: false, hasTags: false, hasViews: false }

/** What a supervisor loads of the dashboard, and of a chat beside its list. */
async function measure(conversationId: number, hasSectors: boolean) {
  const { token } = await colleague('supervisora')
  // A new browser, which has loaded nothing yet.
  const context = await newContext(browser, { height: 860, session: { url, token } })
  const page = await context.newPage()
  if (!hasSectors)
    await page.route('**/api/auth/me', async (route) => {
      const { user, live } = (await (await route.fetch()).json()) as { user: object; live: object }
      await route.fulfill({ json: { user: { ...user, ...nothing }, live } })
    })
  const total = countScripts(page)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page
    .getByRole('banner')
    .getByText(/recuperadas? às/)
    .waitFor()
  const { all, named: first } = await total()
  await page.evaluate((to) => history.pushState(null, '', to), `/chat?conversation=${conversationId}`)
  await page.getByRole('log').getByText('quanto pesa?').waitFor()
  // Without sectors there is one queue.
  const place = hasSectors ? /^Comercial #\d+$/ : /^FILA #\d+$/
  await page.getByText(place).first().waitFor()
  const both = (await total()).all
  const loaded = { first, dashboard: all - first, chat: both - all }
  console.log(
    `primeira carga ${first} bytes, dashboard mais ${loaded.dashboard}, chat mais ${loaded.chat}`,
    hasSectors ? 'com setores' : 'sem setores',
  )
  return loaded
}

test('a signed-in person loads no more JavaScript than allowed, and a chat little more', async () => {
  const phone = await phones.create('Orçamento')
  // It comes late, so that the header has something to show about the gateway, and loads what shows it.
  const at = new Date(Date.now() - 5 * 60_000).toISOString()
  await phones.send(phone.id, { kind: 'text', text: 'quanto pesa?', at })
  const { id } = await (await colleague('bruno')).conversationWith(phone)
  const without = await measure(id, false)
  // Less would not be the whole page.
  expect(without.first).toBeGreaterThan(50_000)
  expect(without.chat).toBeGreaterThan(10_000)
  expect(without.first).toBeLessThanOrEqual(firstLoad)
  expect(without.dashboard).toBeLessThanOrEqual(dashboardMore)
  expect(without.chat).toBeLessThanOrEqual(chatMore)
  const withSectors = await measure(id, true)
  // Otherwise they were loaded in both.
  expect(withSectors.dashboard).toBeGreaterThan(without.dashboard)
  expect(withSectors.first).toBeLessThanOrEqual(firstLoad)
  expect(withSectors.dashboard).toBeLessThanOrEqual(dashboardMore + sectorsMore.dashboard)
  expect(withSectors.chat).toBeLessThanOrEqual(chatMore + sectorsMore.chat)
})
