import type { ChatMessage, PhoneView } from '#simulator/control-views.ts'

/** The clients' phones, by the simulator's control API: for what a test needs from the other side of WhatsApp. */
export class Phones {
  readonly #url: string

  constructor(url: string) {
    this.#url = `${url}/simulador/api`
  }

  create(name: string): Promise<PhoneView> {
    const number = `55119${String(Date.now()).slice(-8)}`
    return this.#call('POST', '/phones', { name, number, autoRead: false })
  }

  write(phoneId: string, text: string): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/messages`, { kind: 'text', text })
  }

  chat(phoneId: string): Promise<ChatMessage[]> {
    return this.#call('GET', `/phones/${phoneId}/chat`)
  }

  /** The texts that the phone received from the console, in the order of their arrival. */
  async received(phoneId: string): Promise<string[]> {
    return (await this.chat(phoneId))
      .filter((message) => message.from === 'company')
      .map((message) => message.text)
  }

  read(phoneId: string): Promise<void> {
    return this.#call('POST', `/phones/${phoneId}/open`)
  }

  async #call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const answer = await fetch(this.#url + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as Reply
  }
}
