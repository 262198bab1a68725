import { afterAll } from 'vitest'
import { browser, colleague, phones } from './stage.ts'

/**
 * After each file: closes what it has opened in the browser of its worker, and finalizes the conversations
 * that its phones have opened, so that the next file finds the demonstration as it began, with the queue on
 * the first page of the list.
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
