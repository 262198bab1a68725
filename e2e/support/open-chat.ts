import type { Page } from 'playwright-core'
import { go } from './go.ts'

/** Opens a client's chat and waits until it is shown: like a link, if the product is open already. */
export async function openChat(page: Page, conversationId: number, name: string): Promise<void> {
  await go(page, `/chat?conversation=${conversationId}`)
  await page.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
}
