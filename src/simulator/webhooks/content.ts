import type { Wrap } from '#simulator/control-api.ts'
import { isGroup, phoneJid } from '#simulator/world/jids.ts'
import { richContent } from './rich-content.ts'
import type { Instance, Message } from '#simulator/world/state.ts'
import { bytes, int64, isJson, type Json, seconds } from './wire.ts'

/** The fields `message` and `contextInfo`: content by kind, quote, and wrappers. */

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

const holderOf: Record<Wrap, string> = {
  ephemeral: 'ephemeralMessage',
  viewOnce: 'viewOnceMessage',
  viewOnceV2: 'viewOnceMessageV2',
  viewOnceV2Extension: 'viewOnceMessageV2Extension',
  documentWithCaption: 'documentWithCaptionMessage',
  edited: 'editedMessage',
  albumChild: 'associatedChildMessage',
  deviceSent: 'deviceSentMessage',
}

function apiContext(message: Message): Json {
  if (isGroup(message.remoteJid)) return {}
  return {
    mentionedJid: [],
    groupMentions: [],
    ephemeralSettingTimestamp: { ...int64(seconds(message.at) - 172_800), unsigned: false },
    disappearingMode: { initiator: 0 },
  }
}

function quoteOf(message: Message, instance: Instance): Json {
  if (!message.quoted) return {}
  const { waId, text, fromPhone, kind = 'text' } = message.quoted
  const participant = fromPhone ? message.remoteJid : phoneJid(instance.ownerNumber ?? '')
  const caption = text === '' ? {} : { caption: text }
  const quotedMessage = kind === 'text' ? { conversation: text } : { [`${kind}Message`]: caption }
  return { stanzaId: waId, participant, quotedMessage }
}

/** The context of the content; undefined when it has none. */
function contextOf(message: Message, instance: Instance): Json | undefined {
  const { forwarded, context, quoted, wraps = [] } = message
  const extra = { ...(forwarded ? { forwardingScore: 1, isForwarded: true } : {}), ...context }
  if (message.author === 'console') return { ...apiContext(message), ...quoteOf(message, instance), ...extra }
  const isEphemeral = wraps.includes('ephemeral')
  if (!quoted && !isEphemeral && Object.keys(extra).length === 0) return undefined
  const lists = { mentionedJid: [], groupMentions: [], statusAttributions: [] }
  const set = { ...int64(seconds(message.at)), unsigned: false }
  const expiry = isEphemeral ? { expiration: 86_400, ephemeralSettingTimestamp: set } : {}
  return { ...lists, ...quoteOf(message, instance), ...expiry, ...extra }
}

function mediaFields(message: Message): Json {
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

function mediaContent(message: Message): Json {
  const { fileName, seconds: length, width, height } = message.media ?? {}
  const fields = mediaFields(message)
  const caption = message.text === '' ? {} : { caption: message.text }
  const size = width && height ? { height, width } : {}
  const drawings = { interactiveAnnotations: [], annotations: [] }
  switch (message.kind) {
    case 'image':
      return { ...drawings, scanLengths: [], ...fields, ...caption, ...size }
    case 'video': {
      const duration = length ? { seconds: length } : {}
      const gifPlayback = message.gif === true
      return { ...drawings, processedVideos: [], ...fields, ...duration, ...caption, gifPlayback, ...size }
    }
    case 'audio':
      return { ...fields, seconds: Math.round(length ?? 1), ptt: message.voice !== false }
    case 'document':
      if (message.author === 'console') return { ...fields, fileName, ...caption }
      return { ...fields, title: fileName, fileName, pageCount: 1, ...caption }
    case 'sticker':
      return message.author === 'console' ? fields : { ...fields, isAnimated: false }
    default:
      return fields
  }
}

function targetKey(message: Message, target: Message | undefined): Json {
  return {
    remoteJid: message.remoteJid,
    fromMe: target ? target.author !== 'phone' : true,
    id: message.targetId,
    ...(message.author === 'console' ? {} : { participant: '' }),
  }
}

function sentAt(message: Message) {
  return message.author === 'console' ? message.at : { ...int64(message.at), unsigned: false }
}

function actContent(message: Message, target: Message | undefined): Json {
  const key = targetKey(message, target)
  const senderTimestampMs = sentAt(message)
  if (message.act?.kind === 'pin')
    return {
      messageContextInfo: { messageAddOnDurationInSecs: 604_800 },
      pinInChatMessage: { key, type: message.act.pinned ? 1 : 2, senderTimestampMs },
    }
  const vote = { encPayload: bytes(`${message.waId}:vote`), encIv: bytes(`${message.waId}:iv`) }
  return { pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs } }
}

function placeContent(message: Message): Json {
  const { latitude, longitude, name, address } = message.location ?? {}
  return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } }
}

function bareContent(message: Message, instance: Instance, target: Message | undefined): Json {
  if (message.act) return actContent(message, target)
  if (message.rich) return richContent(message.rich, message, instance.ownerNumber ?? '')
  switch (message.kind) {
    case 'text':
      return { conversation: message.text }
    case 'location':
      return placeContent(message)
    case 'reaction':
      return {
        reactionMessage: {
          key: targetKey(message, target),
          text: message.text,
          senderTimestampMs: sentAt(message),
        },
      }
    default:
      return { [message.round ? 'ptvMessage' : typeOfKind[message.kind]]: mediaContent(message) }
  }
}

const sideKeys = new Set(['messageContextInfo', 'senderKeyDistributionMessage'])
function typeIn(content: Json): string {
  return Object.keys(content).find((key) => !sideKeys.has(key)) ?? 'unknown'
}

/** Puts the context where the content keeps it; a bare conversation has no place for it. */
function withContext(content: Json, contextInfo: Json | undefined): Json {
  const type = typeIn(content)
  const inner = content[type]
  if (!contextInfo) return content
  if (type.startsWith('pollCreation') && isJson(content['messageContextInfo']))
    return { ...content, messageContextInfo: { ...content['messageContextInfo'], contextInfo } }
  return isJson(inner) ? { ...content, [type]: { ...inner, contextInfo } } : content
}

/** Inside a wrapper a text has the long form; only at the top level it becomes a conversation. */
function longForm(content: Json, contextInfo: Json | undefined): Json {
  const { conversation, ...rest } = content
  if (typeof conversation !== 'string') return content
  const context = contextInfo ? { contextInfo } : {}
  return { ...rest, extendedTextMessage: { endCardTiles: [], text: conversation, ...context } }
}

function wrapIn(content: Json, wraps: readonly Wrap[], remoteJid: string): Json {
  return wraps.toReversed().reduce<Json>((inner, wrap) => {
    const destination = wrap === 'deviceSent' ? { destinationJid: remoteJid } : {}
    return { [holderOf[wrap]]: { ...destination, message: inner } }
  }, content)
}

/** The gateway unwraps a document with a caption when it is the outermost wrapper. */
function shownWraps({ wraps = [] }: Message): Wrap[] {
  return wraps[0] === 'documentWithCaption' ? wraps.slice(1) : wraps
}

export interface Content {
  message: Json
  messageType: string
  contextInfo?: Json | null
}

/** `message`, `messageType` and `contextInfo` of a message's data in the format of 2.3.7. */
export function contentOf(message: Message, instance: Instance, target: Message | undefined): Content {
  const bare = bareContent(message, instance, target)
  const wraps = shownWraps(message)
  const context = message.kind === 'reaction' || message.act ? undefined : contextOf(message, instance)
  if (wraps.length > 0) {
    const whole = wrapIn(withContext(longForm(bare, context), context), wraps, message.remoteJid)
    return { message: whole, messageType: typeIn(whole) }
  }
  const isRaw = message.rich?.kind === 'unknown'
  const messageType = message.rich?.kind === 'unknown' ? message.rich.messageType : typeIn(bare)
  const content = isRaw ? bare : withContext(bare, context)
  return { message: content, messageType, ...topContext(message, messageType, context) }
}

function topContext(
  message: Message,
  type: string,
  context: Json | undefined,
): { contextInfo?: Json | null } {
  const hasNone = type === 'unknown' || type === 'reactionMessage' || message.act !== undefined
  // The gateway does not look at a poll's context, nor at that of unwrapped content.
  if (hasNone || type.startsWith('pollCreation') || message.wraps?.length) return {}
  if (context) return { contextInfo: context }
  return type === 'conversation' ? {} : { contextInfo: null }
}

/** The key of the content. */
export function messageType(message: Message, instance: Instance): string {
  return contentOf(message, instance, undefined).messageType
}
