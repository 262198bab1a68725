import type { Browser, Page } from 'playwright-core'
import { type ContextOptions, launchBrowser, newContext } from './browser.ts'
import { Colleague } from './colleague.ts'
import { ownDemo } from './demo.ts'
import { Phones } from './phones.ts'

// Shared by the files of a worker: its demonstration, its phones, and one browser, which is closed with the
// worker.

export const { url, password, agentPort } = ownDemo()
export const phones = new Phones(url)
export const browser: Browser = await launchBrowser()

const colleagues = new Map<string, Promise<Colleague>>()

/**
 * A user of the demonstration who acts by calls of the API. All files of a worker share the session, so a
 * test must not end it.
 */
export function colleague(username: string): Promise<Colleague> {
  const known = colleagues.get(username) ?? Colleague.signIn(url, username, password)
  colleagues.set(username, known)
  return known
}

interface SignedInOptions extends ContextOptions {
  /** The address by which the server is reached; by default its own. */
  at?: string
  /** The browser; by default that of the worker. */
  within?: Browser
}

/**
 * Opens a page in a new browser context, signed in as a user of the demonstration. It shares the session of
 * `colleague`: tests of the login, or that end sessions, use `signIn`.
 */
export async function signedIn(username: string, options: SignedInOptions = {}): Promise<Page> {
  const { at = url, within = browser, ...look } = options
  const person = await colleague(username)
  await person.stayConfirmed(password)
  const { token } = person
  const context = await newContext(within, { ...look, session: { url: at, token } })
  const page = await context.newPage()
  await page.goto(at)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}
