import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newContext, signIn } from './support/browser.ts'
import { browser, colleague, password, phones, url } from './support/stage.ts'

// The budget for the initially loaded JavaScript, in gzipped bytes.

const firstLoad = 170_000
const chatMore = 60_000

/** Counts the scripts loaded from now on. @returns a function for the total in bytes */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.push(response.body().then((body) => gzipSync(body, { level: 6 }).length))
  })
  return async () => {
    await page.waitForLoadState('networkidle').catch(() => undefined)
    // Includes what is loaded when idle.
    await page.waitForTimeout(1000)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
}

test('whoever is signed in loads no more JavaScript than he may, and a chat little more', async () => {
  const phone = await phones.create('Orçamento')
  await phones.write(phone.id, 'quanto pesa?')
  const { id } = await (await colleague('bruno')).conversationWith(phone)
  const before = await newContext(browser)
  await signIn(await before.newPage(), url, 'ana', password)
  const storageState = await before.storageState()
  await before.close()

  // A new browser, which has loaded nothing yet.
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 860 } })
  const page = await context.newPage()
  const total = countScripts(page)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const first = await total()
  await page.evaluate((to) => history.pushState(null, '', to), `/chat?conversation=${id}`)
  await page.getByRole('log').getByText('quanto pesa?').waitFor()
  const both = await total()
  console.log(`primeira carga ${first} bytes, chat mais ${both - first}`)
  // Less would not be the whole page.
  expect(first).toBeGreaterThan(50_000)
  expect(both - first).toBeGreaterThan(10_000)
  expect(first).toBeLessThanOrEqual(firstLoad)
  expect(both - first).toBeLessThanOrEqual(chatMore)
})
