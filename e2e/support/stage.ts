import type { Browser, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { type ContextOptions, launchBrowser, newPage, signIn } from './browser.ts'
import { Colleague } from './colleague.ts'
import { ownDemo } from './demo.ts'
import { Phones } from './phones.ts'

// What a file plays on: the demonstration of its worker, phones that write to it, and a browser of its own.

export const { url, password } = ownDemo()
export const phones = new Phones(url)
export const browser: Browser = await launchBrowser()
afterAll(() => browser.close())

/** Somebody of the demonstration who acts by the calls of the API. */
export const colleague = (username: string): Promise<Colleague> => Colleague.signIn(url, username, password)

/** The page of a browser of its own in which somebody of the demonstration has signed in. */
export async function signedIn(username: string, options: ContextOptions = {}): Promise<Page> {
  const page = await newPage(browser, options)
  await signIn(page, url, username, password)
  return page
}
