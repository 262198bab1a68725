import { contentOf } from './content.ts'
import type { Faults } from '#simulator/control-api.ts'
import { isLid, lidJid, phoneJid } from '#simulator/world/jids.ts'
import type { Instance, Message, Phone } from '#simulator/world/state.ts'
import { isJson, type Json, seconds } from './wire.ts'

/** The JSON of Evolution 2.3.7, with the same keys as the recorded bodies (`payloads/`). */

/** Evolution's names of the acknowledgements. */
export const statusWord = {
  pending: 'PENDING',
  sent: 'SERVER_ACK',
  delivered: 'DELIVERY_ACK',
  read: 'READ',
  played: 'PLAYED',
  error: 'ERROR',
} as const

/** How a phone's chat is addressed at present. */
export function addressOf(
  phone: Phone,
  faults: Faults,
): Pick<Message, 'remoteJid' | 'remoteJidAlt' | 'addressingMode'> {
  const pn = phoneJid(phone.number)
  const lid = lidJid(phone.lid)
  switch (faults.lidOnly.on ? 'lid-only' : phone.identity) {
    case 'pn':
      return { remoteJid: pn, remoteJidAlt: null, addressingMode: 'pn' }
    case 'pn-with-lid':
      return { remoteJid: pn, remoteJidAlt: lid, addressingMode: 'pn' }
    case 'lid':
      return { remoteJid: pn, remoteJidAlt: pn, addressingMode: 'lid' }
    case 'lid-2.3.6':
      return { remoteJid: lid, remoteJidAlt: pn, addressingMode: 'lid' }
    case 'lid-only':
      return { remoteJid: lid, remoteJidAlt: null, addressingMode: 'lid' }
  }
}

/** The field `key`: short for API sends, with an empty participant for received messages. */
export function keyOf(message: Message): Json {
  const { remoteJid, remoteJidAlt, author, waId: id, addressingMode, elsewhere } = message
  if (author === 'console') return { remoteJid, fromMe: true, id }
  if (elsewhere) return { remoteJid, fromMe: false, id, ...elsewhere, addressingMode }
  return {
    remoteJid,
    ...(remoteJidAlt === null ? {} : { remoteJidAlt }),
    fromMe: author === 'owner',
    id,
    participant: '',
    addressingMode,
  }
}

/** The key as stored in the gateway's database: a LID chat is stored under its LID. */
export function storedKeyOf(message: Message, phone: Phone | undefined): Json {
  const key = keyOf(message)
  const isSwapped = message.addressingMode === 'lid' && !isLid(message.remoteJid) && phone !== undefined
  return isSwapped && !message.elsewhere ? { ...key, remoteJid: lidJid(phone.lid) } : key
}

/** What a message's payload depends on besides the message itself. */
export interface PayloadContext {
  instance: Instance
  phone: Phone | undefined
  /** The message a reaction refers to. */
  target: Message | undefined
  /** Raw base64 of the media, when the webhook includes it. */
  base64: string | undefined
  /** Of a vote. */
  pollUpdates?: PollUpdate[] | undefined
}

function pushNameOf(message: Message, { instance, phone }: PayloadContext) {
  if (message.author === 'console') return 'Você'
  return message.author === 'owner' ? instance.ownerName : (phone?.name ?? message.pushName ?? '')
}

const firstStatus = { phone: 'DELIVERY_ACK', owner: 'SERVER_ACK', console: 'PENDING' } as const
const sources = { phone: 'android', owner: 'ios', console: 'web' } as const

/** An option of a poll with the jids that chose it. */
export interface PollUpdate {
  name: string
  voters: string[]
}

/** `data` of messages.upsert and send.message, and the answer of a send call. */
export function messageData(message: Message, context: PayloadContext): Json {
  const content = contentOf(message, context.instance, context.target)
  const { base64, pollUpdates } = context
  return {
    key: keyOf(message),
    pushName: pushNameOf(message, context),
    status: firstStatus[message.author],
    ...content,
    // Wrapped media are not downloaded.
    message:
      base64 === undefined || isWrapped(content.message) ? content.message : { ...content.message, base64 },
    messageTimestamp: seconds(message.at),
    instanceId: context.instance.id,
    source: sources[message.author],
    ...(pollUpdates === undefined ? {} : { pollUpdates }),
  }
}

function isWrapped(content: Json) {
  return Object.values(content).some((inner) => isJson(inner) && isJson(inner['message']))
}

/** `data` of messages.update. */
export function statusData(message: Message, instance: Instance, status: string): Json {
  return {
    keyId: message.waId,
    remoteJid: message.remoteJid,
    fromMe: message.author !== 'phone',
    status,
    instanceId: instance.id,
    messageId: message.dbId,
  }
}

/** The protocol message of an edit or deletion on a phone, with the key as its sender sees it. */
export function protocolData(message: Message, instance: Instance): Json {
  const remoteJid = message.author === 'phone' ? phoneJid(instance.ownerNumber ?? '') : message.remoteJid
  const key = { remoteJid, fromMe: true, id: message.waId }
  if (message.deletedAt !== null) return { key, type: 'REVOKE' }
  const editedMessage =
    message.kind === 'text'
      ? { conversation: message.text }
      : { [`${message.kind}Message`]: { caption: message.text } }
  return { key, type: 'MESSAGE_EDIT', editedMessage, timestampMs: String(message.editedAt ?? message.at) }
}

// The Docker image runs in America/Sao_Paulo and marks local time with a Z.
const saoPauloOffsetMs = 3 * 3_600_000

/** The webhook body around an event's data; `top` is merged beside `data`. */
export function envelope(
  instance: Instance,
  event: string,
  data: unknown,
  serverUrl: string,
  nowMs: number,
  top: Json = {},
): Json {
  return {
    event,
    instance: instance.name,
    data,
    destination: instance.webhook?.url ?? '',
    date_time: new Date(nowMs - saoPauloOffsetMs).toISOString(),
    ...(instance.ownerNumber === null ? {} : { sender: phoneJid(instance.ownerNumber) }),
    server_url: serverUrl,
    apikey: instance.token,
    ...top,
  }
}
