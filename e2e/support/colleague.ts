import type { Conversation } from '#shared/conversations/conversations.ts'
import type { PhoneView } from '#simulator/control-views.ts'

/** Half the time for which a confirmation holds. */
const confirmAgainMs = 5 * 60_000

/** Another signed-in user, who acts by calls of the API. */
export class Colleague {
  readonly #url: string
  #confirmedAt = performance.now()
  /** The token of the session, which a browser may share. */
  readonly token: string
  readonly id: number

  private constructor(url: string, token: string, id: number) {
    this.#url = url
    this.token = token
    this.id = id
  }

  static async signIn(url: string, username: string, password: string): Promise<Colleague> {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username, password }),
      headers: { 'content-type': 'application/json' },
    })
    const { token, user } = (await answer.json()) as { token: string; user: { id: number } }
    return new Colleague(url, token, user.id)
  }

  /** Gives the password again in time, so that no dialog asks for it. */
  async stayConfirmed(password: string): Promise<void> {
    if (performance.now() - this.#confirmedAt < confirmAgainMs) return
    this.#confirmedAt = performance.now()
    await this.call('POST', '/api/auth/reauthenticate', { password })
  }

  openConversations(): Promise<Conversation[]> {
    return this.call('GET', '/api/conversations')
  }

  /** Waits for the conversation opened by a phone's first message. */
  async conversationWith(phone: PhoneView): Promise<Conversation> {
    const deadline = performance.now() + 15_000
    for (;;) {
      const found = (await this.openConversations()).find((row) => row.contact.phone === phone.number)
      if (found) return found
      if (performance.now() > deadline) throw new Error(`no conversation with ${phone.name}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async reply(conversationId: number, content: string): Promise<void> {
    await this.call('POST', `/api/conversations/${conversationId}/messages`, { content })
  }

  async call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as Reply
  }
}

/** Ends a browser's session on the server, as an administrator or another device would. */
export async function endSession(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/api/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`logout: ${answer.status}`)
}
