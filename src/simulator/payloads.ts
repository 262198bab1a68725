import { createHash } from 'node:crypto'
import { lidJid, phoneJid } from './jids.ts'
import type { Faults } from './control-api.ts'
import type { Instance, Message, Phone } from './state.ts'

/** The JSON shapes of Evolution 2.3.7, built with the same keys as the recorded bodies (`payloads/`). */

export type Json = Record<string, unknown>

const int64 = (value: number) => ({ low: value | 0, high: Math.floor(value / 2 ** 32), unsigned: true })
// 2.3.6 and later spell bytes as an object of indexes.
const bytes = (seed: string) =>
  Object.fromEntries([...createHash('sha256').update(seed).digest()].map((byte, index) => [index, byte]))

export const seconds = (ms: number) => Math.floor(ms / 1000)

/** Evolution's wire word for a tick. */
export const statusWord = {
  pending: 'PENDING',
  sent: 'SERVER_ACK',
  delivered: 'DELIVERY_ACK',
  read: 'READ',
  played: 'PLAYED',
  error: 'ERROR',
} as const

const typeOfKind = {
  text: 'conversation',
  image: 'imageMessage',
  video: 'videoMessage',
  audio: 'audioMessage',
  document: 'documentMessage',
  sticker: 'stickerMessage',
  location: 'locationMessage',
  reaction: 'reactionMessage',
} as const

export const messageType = (message: Message): string => typeOfKind[message.kind]

/** How a phone's chat is addressed now. */
export const addressOf = (
  phone: Phone,
  faults: Faults,
): Pick<Message, 'remoteJid' | 'remoteJidAlt' | 'addressingMode'> => {
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

/** `key`: short for what went through the API, with the empty participant for what came in. */
export const keyOf = (message: Message): Json => {
  const { remoteJid, remoteJidAlt, author, waId: id, addressingMode } = message
  if (author === 'console') return { remoteJid, fromMe: true, id }
  return {
    remoteJid,
    ...(remoteJidAlt === null ? {} : { remoteJidAlt }),
    fromMe: author === 'owner',
    id,
    participant: '',
    addressingMode,
  }
}

const apiContext = (message: Message) => ({
  mentionedJid: [],
  groupMentions: [],
  ephemeralSettingTimestamp: { ...int64(seconds(message.at) - 172_800), unsigned: false },
  disappearingMode: { initiator: 0 },
})

const quoteOf = (message: Message, instance: Instance): Json => {
  if (!message.quoted) return {}
  const { waId, text, fromPhone } = message.quoted
  const participant = fromPhone ? message.remoteJid : phoneJid(instance.ownerNumber ?? '')
  return { stanzaId: waId, participant, quotedMessage: { conversation: text } }
}

const contextOf = (message: Message, instance: Instance): { contextInfo?: Json | null } => {
  if (message.kind === 'reaction') return {}
  if (message.author === 'console')
    return { contextInfo: { ...apiContext(message), ...quoteOf(message, instance) } }
  if (message.quoted) {
    const lists = { mentionedJid: [], groupMentions: [], statusAttributions: [] }
    return { contextInfo: { ...lists, ...quoteOf(message, instance) } }
  }
  return message.kind === 'text' ? {} : { contextInfo: null }
}

const mediaFields = (message: Message): Json => {
  const path = `/v/t62.7118-24/${message.waId}_n.enc?ccb=11-4&oh=01_Q5Aa&oe=68F0A1B2&_nc_sid=5e03e0`
  return {
    url: `https://mmg.whatsapp.net${path}&mms3=true`,
    mimetype: message.media?.mimetype,
    fileSha256: bytes(`${message.waId}:sha`),
    fileLength: int64(message.media?.sizeBytes ?? 0),
    mediaKey: bytes(`${message.waId}:key`),
    fileEncSha256: bytes(`${message.waId}:enc`),
    directPath: path,
    mediaKeyTimestamp: { ...int64(seconds(message.at)), unsigned: false },
  }
}

const mediaContent = (message: Message): Json => {
  const { fileName, seconds: length, width, height } = message.media ?? {}
  const fields = mediaFields(message)
  const caption = message.text === '' ? {} : { caption: message.text }
  const size = width && height ? { height, width } : {}
  const context = message.author === 'console' ? { contextInfo: apiContext(message) } : {}
  switch (message.kind) {
    case 'image':
      return {
        interactiveAnnotations: [],
        scanLengths: [],
        annotations: [],
        ...fields,
        ...caption,
        ...size,
        ...context,
      }
    case 'video': {
      const lists = { interactiveAnnotations: [], annotations: [], processedVideos: [] }
      return {
        ...lists,
        ...fields,
        ...(length ? { seconds: length } : {}),
        ...caption,
        gifPlayback: false,
        ...size,
        ...context,
      }
    }
    case 'audio':
      return { ...fields, seconds: Math.round(length ?? 1), ptt: true, ...context }
    case 'document': {
      const titles = message.author === 'console' ? { fileName } : { title: fileName, fileName, pageCount: 1 }
      return { ...fields, ...titles, ...caption, ...context }
    }
    default:
      return { ...fields, ...context }
  }
}

const contentOf = (message: Message, target: Message | undefined): Json => {
  switch (message.kind) {
    case 'text':
      return { conversation: message.text }
    case 'location': {
      const { latitude, longitude, name, address } = message.location ?? { name: '', address: '' }
      return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } }
    }
    case 'reaction': {
      const id = message.targetId
      const fromMe = target ? target.author !== 'phone' : true
      const isOurs = message.author === 'console'
      const key = { remoteJid: message.remoteJid, fromMe, id, ...(isOurs ? {} : { participant: '' }) }
      const senderTimestampMs = isOurs ? message.at : { ...int64(message.at), unsigned: false }
      return { reactionMessage: { key, text: message.text, senderTimestampMs } }
    }
    default:
      return { [messageType(message)]: mediaContent(message) }
  }
}

/** What a message is beside itself: who is asked for names, ids and bytes. */
export type MessageSurroundings = {
  instance: Instance
  phone: Phone | undefined
  /** The message a reaction stands on. */
  target: Message | undefined
  /** Raw base64 of the media, when the webhook is to carry it. */
  base64: string | undefined
}

const pushNameOf = (message: Message, { instance, phone }: MessageSurroundings) => {
  if (message.author === 'console') return 'Você'
  return message.author === 'owner' ? instance.ownerName : (phone?.name ?? '')
}

const firstStatus = { phone: 'DELIVERY_ACK', owner: 'SERVER_ACK', console: 'PENDING' } as const
const sources = { phone: 'android', owner: 'ios', console: 'web' } as const

/** `data` of messages.upsert and send.message, and the answer of a send call. */
export const messageData = (message: Message, around: MessageSurroundings): Json => ({
  key: keyOf(message),
  pushName: pushNameOf(message, around),
  status: firstStatus[message.author],
  message: {
    ...contentOf(message, around.target),
    ...(around.base64 === undefined ? {} : { base64: around.base64 }),
  },
  ...contextOf(message, around.instance),
  messageType: messageType(message),
  messageTimestamp: seconds(message.at),
  instanceId: around.instance.id,
  source: sources[message.author],
})

/** `data` of messages.update. */
export const statusData = (message: Message, instance: Instance, status: string): Json => ({
  keyId: message.waId,
  remoteJid: message.remoteJid,
  fromMe: message.author !== 'phone',
  status,
  instanceId: instance.id,
  messageId: message.dbId,
})

/** The protocol message an edit or deletion on the phone becomes: its key is in the sender's view. */
export const protocolData = (message: Message, instance: Instance): Json => {
  const key = { remoteJid: phoneJid(instance.ownerNumber ?? ''), fromMe: true, id: message.waId }
  if (message.deletedAt !== null) return { key, type: 'REVOKE' }
  const editedMessage =
    message.kind === 'text'
      ? { conversation: message.text }
      : { [messageType(message)]: { caption: message.text } }
  return { key, type: 'MESSAGE_EDIT', editedMessage, timestampMs: String(message.editedAt ?? message.at) }
}

// The Docker image runs at America/Sao_Paulo and stamps the local time with a Z.
const saoPauloOffsetMs = 3 * 3_600_000

/** The whole webhook body around an event's data. */
export const envelope = (
  instance: Instance,
  event: string,
  data: unknown,
  serverUrl: string,
  nowMs: number,
): Json => ({
  event,
  instance: instance.name,
  data,
  destination: instance.webhook?.url ?? '',
  date_time: new Date(nowMs - saoPauloOffsetMs).toISOString(),
  ...(instance.ownerNumber === null ? {} : { sender: phoneJid(instance.ownerNumber) }),
  server_url: serverUrl,
  apikey: instance.token,
})
