import type { Conversation } from '#shared/conversations/conversations.ts'
import { type Client, eventually, not, type TestApp } from './test-app.ts'

let people = 0

export interface Talk {
  conversation: Conversation
  /** The client's phone in the simulator. */
  phoneId: string
}

/**
 * Starts a conversation: a new client writes 'oi'.
 * @param who a user who may see it
 * @param number as typed; WhatsApp may know the client by another
 */
export async function newTalk(t: TestApp, who: Client, number?: string): Promise<Talk> {
  people += 1
  const name = `Pessoa ${people}`
  const { control } = t.simulator
  const phone = control.createPhone({ name, number: number ?? `5511942${String(people).padStart(6, '0')}` })
  control.sendText(phone.id, 'oi')
  const conversation = await eventually(async () => {
    const { body } = await who.request<Conversation[]>('GET', '/api/conversations')
    return body.find(({ contact }) => contact.name === name)
  }, not(undefined))
  if (!conversation) throw new Error(`no conversation with ${name}`)
  return { conversation, phoneId: phone.id }
}
