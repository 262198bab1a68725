import type { Page } from 'playwright-core'

/** A screen for `npm run screens`. */
export interface Screen {
  name: string
  /** The height of the window, for content that does not fit on a screen; not used for 1280 × 720. */
  heightPx?: number
  /** Opens the screen. The screenshot is taken when the page has settled. */
  open(page: Page, url: string): Promise<void>
}
