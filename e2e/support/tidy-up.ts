import { afterAll } from 'vitest'
import { browser, colleague, phones } from './stage.ts'

/**
 * After each file: closes its browser contexts and finalizes the conversations of its phones, so that the
 * next
 * file begins with the initial state, in which the queue is on the first page of the list.
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
})
