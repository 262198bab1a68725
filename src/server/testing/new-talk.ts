import type { Conversation } from '#shared/conversations.ts'
import { type Client, eventually, type TestApp } from './test-app.ts'

let people = 0

export interface Talk {
  conversation: Conversation
  /** By which the simulator knows the client. */
  phoneId: string
}

/**
 * The conversation of a new client who has written 'oi'.
 * @param who sees it
 * @param number as typed; WhatsApp may know the client by another
 */
export async function newTalk(t: TestApp, who: Client, number?: string): Promise<Talk> {
  people += 1
  const name = `Pessoa ${people}`
  const { control } = t.simulator
  const phone = control.createPhone({ name, number: number ?? `5511942${String(people).padStart(6, '0')}` })
  control.sendText(phone.id, 'oi')
  const conversation = await eventually(
    async () => {
      const { body } = await who.request<Conversation[]>('GET', '/api/conversations')
      return body.find(({ contact }) => contact.name === name)
    },
    (found) => found !== undefined,
  )
  if (!conversation) throw new Error(`no conversation with ${name}`)
  return { conversation, phoneId: phone.id }
}
