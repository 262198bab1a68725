import type { Locator, Page } from 'playwright-core'

/** A toast with this text. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notificações' }).getByText(text)
