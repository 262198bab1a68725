import { failpoint } from '#server/platform/failpoints.ts'
import { judgeFailure, judgeSend, reasonOf, type SendResult } from './answers.ts'
import { jsonWithFile } from './file-json.ts'
import { type ClientContext, defaultTimeoutMs, type GatewayCall, type Instance, request } from './request.ts'

/** The message that an outgoing text answers. */
export interface Quoted {
  waId: string
  /** Undefined for anything but a text: the gateway then quotes the message of its record. */
  text: string | undefined
  fromMe: boolean
  /** Whole jid of the chat. */
  jid: string
}

export interface OutgoingText {
  /** Digits or a whole jid. */
  to: string
  text: string
  quoted: Quoted | undefined
  /** The id to send it under, for a gateway that keeps it; undefined: the gateway gives it one. */
  waId?: string | undefined
}

export interface OutgoingMedia extends OutgoingText {
  /** The caption. */
  text: string
  kind: 'image' | 'video' | 'audio' | 'document'
  /** Recorded by the operator: the phone plays it as a voice message, which has no caption. */
  isVoice: boolean
  /** With an extension: the gateway derives the file's type from it. */
  fileName: string
  mimeType: string
  sizeBytes: number
  bytes: AsyncIterable<Uint8Array>
}

export interface OutgoingReaction {
  /** Whole jid of the chat. */
  to: string
  waId: string
  /** Whether the message is ours. */
  fromMe: boolean
  /** One emoji, or '' to remove the reaction. */
  emoji: string
}

/** Messages of a client that an operator has read. */
export interface ReadMessages {
  /** Whole jid of the chat. */
  to: string
  waIds: readonly string[]
}

export interface OutgoingTyping {
  /** Digits or a whole jid. */
  to: string
  isTyping: boolean
  delayMs: number
}

/** Upload speed, 500 kB/s, below which the send of a file times out. */
const slowestBytesPerMs = 500

export function sendText(
  context: ClientContext,
  instance: Instance,
  message: OutgoingText,
): Promise<SendResult> {
  return sendMessage(context, instance, {
    endpoint: '/message/sendText',
    body: { text: message.text, ...commonOf(message) },
    timeoutMs: context.times.sendMs,
  })
}

export function sendMedia(
  context: ClientContext,
  instance: Instance,
  { bytes, sizeBytes, ...message }: OutgoingMedia,
): Promise<SendResult> {
  const { kind: mediatype, isVoice, fileName, mimeType: mimetype, text: caption } = message
  const file = { bytes, sizeBytes }
  const common = commonOf(message)
  return sendMessage(context, instance, {
    endpoint: isVoice ? '/message/sendWhatsAppAudio' : '/message/sendMedia',
    streamed: isVoice
      ? jsonWithFile({ ...common, encoding: true }, 'audio', file)
      : jsonWithFile({ ...common, mediatype, mimetype, fileName, caption }, 'media', file),
    timeoutMs: context.times.sendMs + Math.ceil(sizeBytes / slowestBytesPerMs),
  })
}

async function sendMessage(
  context: ClientContext,
  instance: Instance,
  call: GatewayCall,
): Promise<SendResult> {
  try {
    await failpoint('outbox.asking')
    const { status, body } = await request(context, instance, call)
    return judgeSend(status, body, call.streamed !== undefined)
  } catch (error) {
    return judgeFailure(error)
  }
}

const commonOf = (message: OutgoingText) => ({
  number: message.to,
  ...(message.waId !== undefined && { messageId: message.waId }),
  ...quoteOf(message),
})

function quoteOf({ quoted }: Pick<OutgoingText, 'quoted'>): { quoted?: unknown } {
  if (!quoted) return {}
  const key = { remoteJid: quoted.jid, fromMe: quoted.fromMe, id: quoted.waId }
  return { quoted: { key, ...(quoted.text !== undefined && { message: { conversation: quoted.text } }) } }
}

export async function sendReaction(
  context: ClientContext,
  instance: Instance,
  { to, waId, fromMe, emoji }: OutgoingReaction,
): Promise<SendResult> {
  try {
    const { status, body } = await request(context, instance, {
      endpoint: '/message/sendReaction',
      body: { key: { remoteJid: to, fromMe, id: waId }, reaction: emoji },
    })
    return judgeSend(status, body)
  } catch (error) {
    return judgeFailure(error)
  }
}

export async function markRead(
  context: ClientContext,
  instance: Instance,
  { to, waIds }: ReadMessages,
): Promise<void> {
  const { status, body } = await request(context, instance, {
    endpoint: '/chat/markMessageAsRead',
    body: { readMessages: waIds.map((id) => ({ remoteJid: to, fromMe: false, id })) },
  })
  if (status >= 400) throw new Error(`markMessageAsRead answered ${reasonOf(status, body)}`)
}

export async function sendTyping(
  context: ClientContext,
  instance: Instance,
  { to, isTyping, delayMs }: OutgoingTyping,
): Promise<void> {
  const { status } = await request(context, instance, {
    endpoint: '/chat/sendPresence',
    body: { number: to, presence: isTyping ? 'composing' : 'paused', delay: delayMs },
    timeoutMs: defaultTimeoutMs + delayMs,
  })
  if (status >= 400) throw new Error(`sendPresence answered ${status}`)
}
