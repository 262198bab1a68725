import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newContext } from './support/browser.ts'
import { browser, colleague, phones, url } from './support/stage.ts'

// The budget for the loaded JavaScript, in gzipped bytes.

/** What stands before the first screen is shown. */
const firstLoad = 170_000
/** What the dashboard loads below its figures, and when idle. */
const dashboardMore = 12_000
/** With the list of open conversations, which stands beside it. */
const chatMore = 90_000

/** Counts the scripts that are loaded. @returns a function for the bytes of all, and of those in the page */
function countScripts(page: Page): () => Promise<{ all: number; named: number }> {
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.set(
      new URL(response.url()).pathname,
      response.body().then((body) => gzipSync(body, { level: 6 }).length),
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

test('a signed-in person loads no more JavaScript than allowed, and a chat little more', async () => {
  const phone = await phones.create('Orçamento')
  // It comes late, so that the header has something to show about the gateway, and loads what shows it.
  const at = new Date(Date.now() - 5 * 60_000).toISOString()
  await phones.send(phone.id, { kind: 'text', text: 'quanto pesa?', at })
  const { id } = await (await colleague('bruno')).conversationWith(phone)
  const { token } = await colleague('supervisora')
  // A new browser, which has loaded nothing yet.
  const context = await newContext(browser, { height: 860, session: { url, token } })
  const page = await context.newPage()
  const total = countScripts(page)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page
    .getByRole('banner')
    .getByText(/recuperadas? às/)
    .waitFor()
  const { all, named: first } = await total()
  await page.evaluate((to) => history.pushState(null, '', to), `/chat?conversation=${id}`)
  await page.getByRole('log').getByText('quanto pesa?').waitFor()
  const both = (await total()).all
  console.log(`primeira carga ${first} bytes, dashboard mais ${all - first}, chat mais ${both - all}`)
  // Less would not be the whole page.
  expect(first).toBeGreaterThan(50_000)
  expect(both - all).toBeGreaterThan(10_000)
  expect(first).toBeLessThanOrEqual(firstLoad)
  expect(all - first).toBeLessThanOrEqual(dashboardMore)
  expect(both - all).toBeLessThanOrEqual(chatMore)
})
