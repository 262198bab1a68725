import { afterAll, afterEach } from 'vitest'
import { browser, colleague, password, phones } from './stage.ts'

/** The only text that several files use and one changes. */
const { lgpdMessage } = await (
  await colleague('admin')
).call<{ lgpdMessage: string }>('GET', '/api/system-settings')

const people = new Set(['admin', 'supervisora', 'ana', 'bruno', 'carla', 'diego', 'elisa'])

/** A failed test says what its pages showed, since a failure that is rare cannot be looked at again. */
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0]
  if (!error) return
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    error.message += `\n${page.url()} shows: ${text.replace(/\s+/g, ' ').slice(0, 600)}`
  }
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
