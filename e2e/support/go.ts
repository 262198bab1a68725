import type { Page } from 'playwright-core'
import { url } from './stage.ts'

/**
 * Leads to an address of the product as a link does. To load the page again takes four times the processor
 * time, so only what depends on a new page is opened by `page.goto`.
 */
export async function go(page: Page, address: string): Promise<void> {
  const { origin, pathname } = new URL(page.url())
  const isProduct = (path: string) => !path.startsWith('/simulador')
  if (origin === url && isProduct(pathname) && isProduct(address))
    await page.evaluate((to) => history.pushState(null, '', to), address)
  else await page.goto(url + address)
}
