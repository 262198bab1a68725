import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { browser, colleague, password, phones } from './stage.ts'

/** The only text that several files use and one changes. */
const { lgpdMessage } = await (
  await colleague('admin')
).call<{ lgpdMessage: string }>('GET', '/api/system-settings')

const people = new Set(['admin', 'supervisora', 'ana', 'bruno', 'carla', 'diego', 'elisa'])

let before: readonly BrowserContext[] = []
beforeEach(() => {
  before = browser.contexts()
})

/**
 * After each test: closes the browser contexts that it has opened. A failed test says what its pages showed,
 * since a failure that is rare cannot be looked at again.
 */
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0]
  const pages = error ? browser.contexts().flatMap((context) => context.pages()) : []
  for (const page of pages) {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    if (error) error.message += `\n${page.url()} shows: ${text.replace(/\s+/g, ' ').slice(0, 600)}`
  }
  const opened = browser.contexts().filter((context) => !before.includes(context))
  await Promise.all(opened.map((context) => context.close()))
})

/**
 * After each file: closes its browser contexts, finalizes the conversations of its phones and deletes its
 * accounts, so that the next file begins with the initial state, in which the queue is on the first page of
 * the list and the team is that of the demonstration.
 */
afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  const samples = new Set(
    (await phones.all()).filter(({ id }) => id.startsWith('demo-')).map(({ number }) => number),
  )
  const supervisor = await colleague('supervisora')
  const left = (await supervisor.openConversations()).filter(
    ({ contact }) => !samples.has(contact.phone ?? ''),
  )
  for (const { id } of left) await supervisor.call('POST', `/api/conversations/${id}/finalize`, {})
  const admin = await colleague('admin')
  await admin.stayConfirmed(password)
  await admin.call('PATCH', '/api/system-settings', { lgpdMessage })
  const accounts = await admin.call<{ id: number; username: string }[]>('GET', '/api/users')
  for (const { id, username } of accounts)
    if (!people.has(username)) await admin.call('DELETE', `/api/users/${id}`)
})
