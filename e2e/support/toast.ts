import type { Locator, Page } from 'playwright-core'

/** A toast with this text, also if it is behind a dialog. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notificações', includeHidden: true }).getByText(text)
