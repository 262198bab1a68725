import type { Page } from 'playwright-core'
import type { NewPhone } from '#simulator/control-api.ts'
import type { Colleague } from './colleague.ts'
import { go } from './go.ts'
import { phones } from './stage.ts'

/** Opens a client's chat and waits until it is shown: like a link, if the product is open already. */
export async function openChat(page: Page, conversationId: number, name: string): Promise<void> {
  await go(page, `/chat?conversation=${conversationId}`)
  await page.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
}

/** Creates a client who has just written. @param person sees the conversation */
export async function newTalk(person: Colleague, name: string, text = 'oi', options: Partial<NewPhone> = {}) {
  const phone = await phones.create(name, options)
  await phones.write(phone.id, text)
  const talk = await person.conversationWith(phone)
  return { phone, talk, id: talk.id }
}

/** Creates a client who has just written, and opens the chat, with nothing in the way of the server. */
export async function newChat(page: Page, person: Colleague, name: string, text = 'bom dia') {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const made = await newTalk(person, name, text)
  await openChat(page, made.id, name)
  await page.getByRole('log').getByRole('article').filter({ hasText: text }).first().waitFor()
  return made
}
