import type {
  FaultsPatch,
  Injection,
  NewPhone,
  PhoneMessage,
  PhonePatch,
  SendAnswer,
} from '#simulator/control-api.ts'
import type { ChatMessage, PhoneView } from '#simulator/control-views.ts'

/** Two phones of the same millisecond need two numbers. */
let lastNumber = Date.now()

/** The clients' phones, by the simulator's control API: for what a test needs from the other side of WhatsApp. */
export class Phones {
  readonly #url: string

  constructor(url: string) {
    this.#url = `${url}/simulador/api`
  }

  create(name: string, options: Partial<NewPhone> = {}): Promise<PhoneView> {
    lastNumber = Math.max(lastNumber + 1, Date.now())
    const number = `55119${String(lastNumber).slice(-8)}`
    return this.#call('POST', '/phones', { name, number, autoRead: false, ...options })
  }

  change(phoneId: string, patch: PhonePatch): Promise<PhoneView> {
    return this.#call('PATCH', `/phones/${phoneId}`, patch)
  }

  write(phoneId: string, text: string, quotedId?: string): Promise<ChatMessage> {
    return this.send(phoneId, { kind: 'text', text, ...(quotedId !== undefined && { quotedId }) })
  }

  send(phoneId: string, message: PhoneMessage): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/messages`, message)
  }

  /** Written by somebody on the company's own phone. */
  writeAsOwner(phoneId: string, text: string): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/owner-messages`, { kind: 'text', text })
  }

  /** An empty emoji takes the reaction back. */
  react(phoneId: string, messageId: string, emoji: string): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/reactions`, { messageId, emoji })
  }

  edit(phoneId: string, messageId: string, text: string): Promise<ChatMessage> {
    return this.#call('PATCH', `/phones/${phoneId}/messages/${messageId}`, { text })
  }

  remove(phoneId: string, messageId: string): Promise<ChatMessage> {
    return this.#call('DELETE', `/phones/${phoneId}/messages/${messageId}`)
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

  setFaults(patch: FaultsPatch): Promise<unknown> {
    return this.#call('PATCH', '/faults', patch)
  }

  /** What the next sends of the console come to, in order. */
  nextSendAnswers(...answers: SendAnswer[]): Promise<void> {
    return this.#call('POST', '/send-answers', { answers })
  }

  /** Posts a webhook as the gateway would, whatever it says. */
  inject(injection: Injection): Promise<void> {
    return this.#call('POST', '/webhooks', injection)
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
