import type {
  By,
  Encoding,
  FaultsPatch,
  Injection,
  NewPhone,
  PhoneCall,
  PhoneMessage,
  PhonePatch,
  SendAnswer,
  Typing,
} from '#simulator/control-api.ts'
import { film, picture, sound } from './files.ts'
import type { CallView, ChatMessage, PhoneView } from '#simulator/control-views.ts'

/** Keeps numbers unique within a millisecond. */
let lastNumber = Date.now()

/** The clients' phones, by the simulator's control API. */
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

  all(): Promise<PhoneView[]> {
    return this.#call('GET', '/phones')
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
    return this.sendAsOwner(phoneId, { kind: 'text', text })
  }

  /** Sent by somebody on the company's own phone. */
  sendAsOwner(phoneId: string, message: PhoneMessage): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/owner-messages`, message)
  }

  /** An empty emoji removes the reaction. */
  react(phoneId: string, messageId: string, emoji: string, by: By = 'phone'): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/reactions`, { messageId, emoji, by })
  }

  edit(phoneId: string, messageId: string, text: string, by: By = 'phone'): Promise<ChatMessage> {
    return this.#call('PATCH', `/phones/${phoneId}/messages/${messageId}`, { text, by })
  }

  remove(phoneId: string, messageId: string, by: By = 'phone'): Promise<ChatMessage> {
    return this.#call('DELETE', `/phones/${phoneId}/messages/${messageId}?by=${by}`)
  }

  /** Sets the choice; no options withdraw the vote. */
  vote(phoneId: string, messageId: string, options: string[], by: By = 'phone'): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/votes`, { messageId, options, by })
  }

  pin(phoneId: string, messageId: string, pinned: boolean, by: By = 'phone'): Promise<ChatMessage> {
    return this.#call('POST', `/phones/${phoneId}/pins`, { messageId, pinned, by })
  }

  /** A second call with the `id` of a ringing one ends it. */
  call(phoneId: string, call: PhoneCall): Promise<CallView> {
    return this.#call('POST', `/phones/${phoneId}/calls`, call)
  }

  /** Sends a message outside the chat: in a group, a status or a newsletter. */
  chat(phoneId: string): Promise<ChatMessage[]> {
    return this.#call('GET', `/phones/${phoneId}/chat`)
  }

  /** The texts that the phone received from the console, in the order of their arrival. */
  async received(phoneId: string): Promise<string[]> {
    return (await this.chat(phoneId))
      .filter((message) => message.from === 'company')
      .map((message) => message.text)
  }

  /** Sets the client's typing state. */
  type(phoneId: string, state: Typing['state']): Promise<void> {
    return this.#call('POST', `/phones/${phoneId}/typing`, { state })
  }

  read(phoneId: string): Promise<void> {
    return this.#call('POST', `/phones/${phoneId}/open`)
  }

  setFaults(patch: FaultsPatch): Promise<unknown> {
    return this.#call('PATCH', '/faults', patch)
  }

  /** Sets the gateway's release. */
  setVersion(version: Encoding): Promise<unknown> {
    return this.#call('PUT', '/version', { version })
  }

  /** Scripts the answers to the next sends of the console, in order. */
  nextSendAnswers(...answers: SendAnswer[]): Promise<void> {
    return this.#call('POST', '/send-answers', { answers })
  }

  /** Makes the next send of this text arrive without a clear answer, an echo or a tick. */
  leaveInDoubt(text: string): Promise<void> {
    const unreported = { status: 500, delivered: true, stored: false, echo: 'never', acks: 'none' } as const
    return this.nextSendAnswers({ ...unreported, text })
  }

  /** Posts the missing echo of a text that the phone received. */
  async echo(phone: Pick<PhoneView, 'id' | 'number'>, text: string): Promise<void> {
    const sent = (await this.chat(phone.id)).find((one) => one.from === 'company' && one.text === text)
    await this.inject({
      event: 'send.message',
      data: {
        key: { remoteJid: `${phone.number}@s.whatsapp.net`, fromMe: true, id: sent?.id },
        message: { conversation: text },
        messageType: 'conversation',
        messageTimestamp: Math.floor(Date.now() / 1000),
      },
    })
  }

  /**
   * Writes many texts in one webhook, as the gateway posts messages after an interruption. They reach only
   * the
   * console, so the phone's own chat does not have them.
   */
  pileUp({ name, number }: Pick<PhoneView, 'name' | 'number'>, texts: string[]): Promise<void> {
    const batch = (lastNumber += 1)
    return this.inject({
      event: 'messages.upsert',
      data: texts.map((text, at) => ({
        key: { remoteJid: `${number}@s.whatsapp.net`, fromMe: false, id: `PILE${batch}A${at}` },
        pushName: name,
        message: { conversation: text },
        messageType: 'conversation',
        messageTimestamp: Math.floor(Date.now() / 1000),
      })),
    })
  }

  /** Posts a webhook with any content. */
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

const base64 = picture(64, 48, 60).toString('base64')
const filmed = film.toString('base64')
const heard = sound(1).toString('base64')

/** One message of each kind that a phone can send, by the name of its kind. */
export const sampleMessages = {
  text: { kind: 'text', text: 'Bom dia! Veja https://exemplo.com.br/pedido' },
  picture: {
    kind: 'image',
    base64,
    mimetype: 'image/png',
    caption: 'a caixa rasgada',
    width: 640,
    height: 480,
  },
  video: { kind: 'video', base64: filmed, caption: 'a descarga', seconds: 12 },
  roundVideo: { kind: 'video', base64: filmed, round: true, seconds: 9 },
  gif: { kind: 'video', base64: filmed, gif: true, caption: 'ficou assim' },
  voice: { kind: 'audio', base64: heard, seconds: 41 },
  soundFile: { kind: 'audio', base64: heard, seconds: 185, voice: false },
  document: { kind: 'document', base64, fileName: 'nota fiscal 48.213.pdf', caption: 'segue a nota' },
  sticker: { kind: 'sticker', base64 },
  contact: {
    kind: 'contact',
    contacts: [
      {
        name: 'Seu Anselmo (portaria)',
        phones: [{ number: '+55 11 97012-8834', waid: '5511970128834' }, { number: '+1 (415) 555-2671' }],
        organization: 'Condomínio Aurora',
        email: 'portaria@exemplo.com.br',
        url: 'https://exemplo.com.br/portaria',
      },
    ],
  },
  contacts: {
    kind: 'contact',
    contacts: ['Zefa', 'Ivo', 'Lia', 'Nair', 'Raul', 'Tito', 'Vera'].map((name, index) => ({
      name,
      phones: [{ number: `+55 11 98765-432${index}`, waid: `551198765432${index}` }],
    })),
  },
  location: {
    kind: 'location',
    latitude: -23.5614,
    longitude: -46.6559,
    name: 'Mercadinho Bom Preço',
    address: 'R. Domingos de Morais, 2187',
  },
  liveLocation: { kind: 'liveLocation', latitude: -23.5505, longitude: -46.6333, caption: 'estou chegando' },
  poll: {
    kind: 'poll',
    name: 'Quando entregamos?',
    options: ['manhã', 'tarde', 'noite'],
    selectableCount: 1,
  },
  listReply: { kind: 'listReply', title: 'Segunda via do boleto', rowId: 'boleto' },
  buttonReply: { kind: 'buttonReply', text: 'Sim, pode entregar', buttonId: 'sim' },
  templateReply: { kind: 'templateReply', text: 'Quero falar com alguém', buttonId: 'pessoa' },
  interactiveReply: { kind: 'interactiveReply', text: 'Formulário enviado', name: 'flow' },
  viewOncePlaceholder: { kind: 'viewOncePlaceholder' },
  order: { kind: 'order', title: 'Cesta de café', itemCount: 3, amount: 12_990 },
  product: { kind: 'product', title: 'Café especial', amount: 4_990 },
  groupInvite: { kind: 'groupInvite', groupName: 'Moradores do Aurora', code: 'AbCdEf123' },
  unknown: { kind: 'unknown', messageType: 'newKindMessage', raw: { newKindMessage: { name: 'festa' } } },
  forwarded: { kind: 'text', text: 'recado do fornecedor', forwarded: true },
  fromAd: {
    kind: 'text',
    text: 'vi o anúncio de vocês',
    context: {
      externalAdReply: {
        title: 'Café especial com 20% de desconto',
        body: 'Só nesta semana',
        sourceUrl: 'https://exemplo.com.br/anuncio',
        sourceId: '120210000000000000',
      },
    },
  },
  ephemeral: { kind: 'text', text: 'some em um dia', wrap: 'ephemeral' },
  viewOnce: { kind: 'image', base64, caption: 'só uma vez', wrap: 'viewOnceV2' },
  nested: {
    kind: 'document',
    base64,
    fileName: 'contrato.docx',
    caption: 'dentro de três',
    wrap: ['deviceSent', 'ephemeral', 'documentWithCaption'],
  },
  ofAlbum: { kind: 'image', base64, caption: 'segunda do álbum', wrap: 'albumChild' },
} satisfies Record<string, PhoneMessage>
