import { afterAll } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { Colleague } from './colleague.ts'
import { ownDemo } from './demo.ts'

/**
 * Finalizes the conversations that a file's phones have opened: the next file finds the demonstration as it began, with
 * the queue on the first page of the list.
 */
afterAll(async () => {
  const { url, password } = ownDemo()
  const phones = (await (await fetch(`${url}/simulador/api/phones`)).json()) as PhoneView[]
  const samples = new Set(phones.filter(({ id }) => id.startsWith('demo-')).map(({ number }) => number))
  const supervisor = await Colleague.signIn(url, 'supervisora', password)
  for (const { id, contact } of await supervisor.openConversations())
    if (!samples.has(contact.phone ?? ''))
      await supervisor.call('POST', `/api/conversations/${id}/finalize`, {})
})
