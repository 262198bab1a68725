import type { Page } from 'playwright-core'
import { url } from './stage.ts'

/**
 * Opens the chat of a client and waits until it stands there: as a link within the product does, or by its
 * address where the product is not open yet.
 */
export async function openChat(page: Page, conversationId: number, name: string): Promise<void> {
  const address = `/chat?conversation=${conversationId}`
  const { origin, pathname } = new URL(page.url())
  if (origin === url && pathname !== '/simulador')
    await page.evaluate((to) => history.pushState(null, '', to), address)
  else await page.goto(url + address)
  await page.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
}
