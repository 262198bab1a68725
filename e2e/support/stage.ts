import type { Browser, Page } from 'playwright-core'
import { type ContextOptions, launchBrowser, newContext } from './browser.ts'
import { Colleague } from './colleague.ts'
import { ownDemo } from './demo.ts'
import { Phones } from './phones.ts'

// What the files of a worker share: its demonstration, the phones that write to it, and one browser, which
// ends with the worker.

export const { url, password } = ownDemo()
export const phones = new Phones(url)
export const browser: Browser = await launchBrowser()

const colleagues = new Map<string, Promise<Colleague>>()

/**
 * Somebody of the demonstration who acts by the calls of the API. All files of a worker share the session, so
 * a test must not end it.
 */
export function colleague(username: string): Promise<Colleague> {
  const known = colleagues.get(username) ?? Colleague.signIn(url, username, password)
  colleagues.set(username, known)
  return known
}

interface SignedInOptions extends ContextOptions {
  /** The address by which the server is reached. Absent: its own. */
  at?: string
  /** The browser that opens it. Absent: that of the worker. */
  within?: Browser
}

/**
 * A page on which somebody of the demonstration is signed in, in a browser context of its own. The session is
 * that of the colleague: a test that ends sessions, or is about the login, signs in by `signIn`.
 */
export async function signedIn(username: string, options: SignedInOptions = {}): Promise<Page> {
  const { at = url, within = browser, ...look } = options
  const { token } = await colleague(username)
  const context = await newContext(within, { ...look, session: { url: at, token } })
  const page = await context.newPage()
  await page.goto(at)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}
