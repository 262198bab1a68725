import type { Page } from 'playwright-core'
import { url } from './stage.ts'

/**
 * Opens a client's chat and waits until it is shown: like a link, or by its URL if the product is not open
 * yet.
 */
export async function openChat(page: Page, conversationId: number, name: string): Promise<void> {
  const address = `/chat?conversation=${conversationId}`
  const { origin, pathname } = new URL(page.url())
  if (origin === url && pathname !== '/simulador')
    await page.evaluate((to) => history.pushState(null, '', to), address)
  else await page.goto(url + address)
  await page.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
}
