import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { call, read } from '../support/http.ts'
import { connectNumber, signIn } from '../support/installation.ts'
import { firstAdmin } from './environment.ts'

export interface Person {
  token: string
  userId: number
}

/** The console's HTTP calls, repeated as by browsers if not answered or answered 5xx. */
export interface Console {
  url: string
  signIn(username: string, password: string): Promise<Person>
  conversations(who: Person): Promise<Conversation[]>
  /** All messages of a conversation, oldest first. */
  messages(who: Person, conversationId: number): Promise<Message[]>
  /** @returns the status of the answer: 201, or that of the refusal */
  reply(
    who: Person,
    conversationId: number,
    body: { content: string; clientMessageId: string },
  ): Promise<number>
  /** The bytes of a message's file, fetched from the gateway if they are not stored. */
  file(who: Person, messageId: number): Promise<{ status: number; bytes: Buffer }>
  connectGateway(simulator: Simulator): Promise<void>
}

const pageSize = 200

export function createConsole(url: string): Console {
  const api = (path: string) => `${url}/api/${path}`
  return {
    url,
    signIn: (username, password) => signIn(url, { username, password }),
    conversations: (who) => read(api('conversations'), { method: 'GET', token: who.token }),
    async messages(who, conversationId) {
      const all: Message[] = []
      for (;;) {
        const before = all[0] ? `&before=${all[0].id}` : ''
        const path = api(`conversations/${conversationId}/messages?limit=${pageSize}${before}`)
        const page = await read<Message[]>(path, { method: 'GET', token: who.token })
        all.unshift(...page)
        if (page.length < pageSize) return all
      }
    },
    async reply(who, conversationId, body) {
      const path = api(`conversations/${conversationId}/messages`)
      return (await call(path, { method: 'POST', body, token: who.token })).status
    },
    async file(who, messageId) {
      const answer = await fetch(api(`media/evolution/${messageId}`), {
        headers: { authorization: `Bearer ${who.token}` },
      })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    },
    async connectGateway(simulator) {
      const { token } = await signIn(url, firstAdmin)
      await connectNumber(url, token, simulator)
    },
  }
}
