import type { GatewayEvent, IncomingMessage } from '#server/gateway/gateway.ts'

type Address = 'phone' | 'lid' | 'both'

/** The content of a message as the gateway reports it; a text by default. */
export const saying = (
  content: string,
  more: Partial<IncomingMessage['content']> = {},
): IncomingMessage['content'] => ({
  messageType: 'text',
  content,
  fileName: undefined,
  mimeType: undefined,
  sizeBytes: undefined,
  metadata: {},
  ...more,
})

let people = 0

/**
 * A new person and the events that the gateway can report of them. `minute` counts on their own clock, which
 * began half an hour ago.
 */
export function person() {
  const number = ++people
  const phone = `55119${String(number).padStart(8, '0')}`
  const lid = `77${String(number).padStart(10, '0')}`
  const base = Date.now() - 30 * 60_000
  const at = (minute: number) => new Date(base + minute * 60_000)
  const peer = (address: Address) => ({
    phone: address === 'lid' ? undefined : phone,
    lid: address === 'phone' ? undefined : lid,
    jid: address === 'lid' ? `${lid}@lid` : `${phone}@s.whatsapp.net`,
  })
  const id = (name: string) => `${name}-${number}`
  const message = (
    origin: IncomingMessage['origin'],
    name: string,
    minute: number,
    more: Partial<IncomingMessage> & { address?: Address } = {},
  ): GatewayEvent => {
    const { address = 'phone', ...rest } = more
    return {
      kind: 'message',
      waId: id(name),
      peer: peer(address),
      origin,
      name: origin === 'contact' ? `Maria ${minute}` : undefined,
      sentAt: at(minute),
      content: saying(name),
      quoted: undefined,
      isHistory: false,
      ...rest,
    }
  }
  const ms = (minute: number) => at(minute).getTime()
  return {
    phone,
    lid,
    base,
    id,
    writes: (name: string, minute: number, more?: Partial<IncomingMessage> & { address?: Address }) =>
      message('contact', name, minute, more),
    byPhone: (name: string, minute: number, more?: Partial<IncomingMessage> & { address?: Address }) =>
      message('phone', name, minute, more),
    edit: (name: string, minute: number, content: string): GatewayEvent => ({
      kind: 'edit',
      waId: id(name),
      content,
      editedAtMs: ms(minute),
    }),
    remove: (name: string): GatewayEvent => ({ kind: 'delete', waId: id(name) }),
    react: (
      name: string,
      minute: number,
      emoji: string,
      from: 'contact' | 'user' = 'contact',
    ): GatewayEvent => ({ kind: 'reaction', waId: id(name), emoji, from, sentAtMs: ms(minute) }),
    vote: (
      name: string,
      minute: number,
      options: string[],
      from: 'contact' | 'user' = 'contact',
    ): GatewayEvent => ({ kind: 'vote', waId: id(name), options, from, sentAtMs: ms(minute) }),
    pin: (name: string, minute: number, isPinned: boolean): GatewayEvent => ({
      kind: 'pin',
      waId: id(name),
      isPinned,
      sentAtMs: ms(minute),
    }),
    ack: (name: string, status: 'delivered' | 'read'): GatewayEvent => ({
      kind: 'delivery',
      waId: id(name),
      status,
      peer: undefined,
    }),
    calls: (
      name: string,
      minute: number,
      outcome: 'ringing' | 'missed' | 'answered',
      isVideo = false,
    ): GatewayEvent => ({
      kind: 'call',
      callId: id(name),
      peer: peer('phone'),
      outcome,
      isVideo,
      at: at(minute),
    }),
    sendsUnknown: (name: string, minute: number): GatewayEvent => ({
      kind: 'unreadable',
      waId: id(name),
      peer: peer('phone'),
      fromMe: false,
      sentAt: at(minute),
      gatewayType: 'hologramMessage',
      isHistory: false,
    }),
    isCalled: (name: string): GatewayEvent => ({ kind: 'profile', peer: peer('phone'), name }),
  }
}
export type Person = ReturnType<typeof person>
