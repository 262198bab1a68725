import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata, SharedContact } from '#shared/messages/message-metadata.ts'
import { maxTextLength } from '#shared/messages/messages.ts'
import { finalFileName } from '#shared/messages/media.ts'
import { unsupportedMessage } from '#shared/text/text.ts'
import { describe, labelIn } from './described.ts'
import { answersIn } from './flows.ts'
import { type Bag, bag, cut, decimal, field, integer, items, natural, text } from './values.ts'
import { parseVcard, safeUrl } from './vcard.ts'
import { unwrap } from './wrappers.ts'
import type { Content } from './gateway-events.ts'

const mediaTypes = new Map<string, MessageType>([
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  ['ptvMessage', 'video'],
  ['audioMessage', 'audio'],
  ['documentMessage', 'document'],
  ['stickerMessage', 'sticker'],
  ['lottieStickerMessage', 'sticker'],
])

/** WhatsApp counts characters, and one character may be two UTF-16 units long. */
const longestText = 2 * maxTextLength
const mostCards = 300
const mostPollOptions = 100

/**
 * The content of a message, with the metadata of its contextInfo. Kinds that the console does not know are
 * kept as unsupported, never dropped.
 * @param outer the fields next to the content in the gateway's message
 */
export function contentOf(message: unknown, outer: { contextInfo?: unknown; key?: unknown } = {}): Content {
  const { type, value, isViewOnce, contexts } = unwrap(message)
  const { metadata, ...content } = readContent(type, value)
  const isOnce =
    field(outer.key, 'isViewOnce') === true ||
    // Buttons use the same wrapper.
    (isViewOnce &&
      (content.messageType !== 'text' || type === 'conversation' || type === 'extendedTextMessage')) ||
    (mediaTypes.has(type) && field(value, 'viewOnce') === true)
  return {
    ...content,
    content: cut(content.content, longestText),
    metadata: {
      ...metadata,
      ...(isOnce && { isViewOnce: true }),
      ...frameOf([bag(outer.contextInfo), ...contexts]),
    },
  }
}

function make(messageType: MessageType, content: string, metadata: MessageMetadata = {}): Content {
  return {
    messageType,
    content,
    fileName: undefined,
    mimeType: undefined,
    sizeBytes: undefined,
    metadata,
  }
}

function readContent(type: string, value: unknown): Content {
  const said = textIn(type, value)
  if (said !== undefined) return make('text', said)
  const messageType = mediaTypes.get(type)
  const read = messageType ? mediaOf(messageType, type, value) : formOf(type, value)
  if (read) return read
  const gatewayType = cut(type, 64)
  const description = describe(type, value)
  if (description !== undefined) return make('text', description, { gatewayType })
  return make('unsupported', unsupportedMessage, { gatewayType })
}

/** The text of textual kinds, and the option that a client chose, as they saw it. */
function textIn(type: string, value: unknown): string | undefined {
  switch (type) {
    case 'conversation':
      return text(value)
    case 'extendedTextMessage':
      return text(field(value, 'text'))
    case 'buttonsResponseMessage':
      return firstText(field(value, 'selectedDisplayText'), field(value, 'selectedButtonId'))
    case 'templateButtonReplyMessage':
      return firstText(field(value, 'selectedDisplayText'), field(value, 'selectedId'))
    case 'listResponseMessage':
      return firstText(field(value, 'title'), field(field(value, 'singleSelectReply'), 'selectedRowId'))
    case 'interactiveResponseMessage': {
      const flow = field(value, 'nativeFlowResponseMessage')
      const params = field(flow, 'paramsJson')
      // The body of a form's answer is 'Sent', in the language of the phone.
      const answers = field(flow, 'name') === 'flow' ? answersIn(params) : undefined
      return firstText(
        answers,
        field(field(value, 'body'), 'text'),
        labelIn(params),
        params,
        field(flow, 'name'),
      )
    }
    default:
      return undefined
  }
}

function firstText(...values: unknown[]): string | undefined {
  return values.map(text).find((said) => said?.trim())
}

function mediaOf(messageType: MessageType, type: string, value: unknown): Content {
  const numbers = {
    seconds: natural(field(value, 'seconds')),
    width: natural(field(value, 'width')),
    height: natural(field(value, 'height')),
    pages: messageType === 'document' ? natural(field(value, 'pageCount')) : undefined,
  }
  const known = Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== undefined))
  const fileName = text(field(value, 'fileName')) ?? text(field(value, 'title'))
  const mimeType = text(field(value, 'mimetype'))
  return {
    ...make(messageType, text(field(value, 'caption')) ?? ''),
    fileName: fileName && finalFileName(fileName),
    mimeType: mimeType && cut(mimeType, 200),
    sizeBytes: natural(field(value, 'fileLength')),
    metadata: {
      ...known,
      ...(messageType === 'audio' && { isVoice: field(value, 'ptt') === true }),
      ...(type === 'ptvMessage' && { isRound: true }),
      ...(messageType === 'video' && field(value, 'gifPlayback') === true && { isGif: true }),
    },
  }
}

/** The kinds that the console has a form for; undefined for all others and for empty content. */
function formOf(type: string, value: unknown): Content | undefined {
  if (type === 'contactMessage') return contactsOf([value])
  if (type === 'contactsArrayMessage') return contactsOf(items(field(value, 'contacts'), mostCards))
  if (type === 'locationMessage' || type === 'liveLocationMessage') return locationOf(type, value)
  if (/^pollCreationMessage(V[2-5])?$/.test(type)) return pollOf(value)
  return undefined
}

function contactsOf(cards: unknown[]): Content | undefined {
  const contacts = cards.map(contactOf).filter((contact) => contact !== undefined)
  if (contacts.length === 0) return undefined
  return make('contact', contacts.map((contact) => contact.name).join(', '), { contacts })
}

function contactOf(value: unknown): SharedContact | undefined {
  const { name: written, ...card } = parseVcard(text(field(value, 'vcard')) ?? '')
  const shown = text(field(value, 'displayName'))?.trim()
  const name = written ?? (shown ? cut(shown, 500) : card.phones[0]?.number)
  return name === undefined ? undefined : { name, ...card }
}

function locationOf(type: string, value: unknown): Content | undefined {
  const latitude = decimal(field(value, 'degreesLatitude'))
  const longitude = decimal(field(value, 'degreesLongitude'))
  if (latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  const short = (name: string) => {
    const line = text(field(value, name))?.trim()
    return line ? cut(line, 1000) : undefined
  }
  const [name, address, said] = [short('name'), short('address'), short('caption') ?? short('comment')]
  const isLive = type === 'liveLocationMessage' || field(value, 'isLive') === true
  const location = {
    latitude,
    longitude,
    ...(name && { name }),
    ...(address && { address }),
    ...(isLive && { isLive }),
  }
  return make('location', [name, address, said].filter(Boolean).join('\n'), { location })
}

function pollOf(value: unknown): Content | undefined {
  const options = items(field(value, 'options'), mostPollOptions)
    .map((one) => text(field(one, 'optionName')))
    .filter((name) => name !== undefined)
    .map((name) => cut(name, 1000))
  const question = text(field(value, 'name')) ?? ''
  if (question === '' && options.length === 0) return undefined
  const selectable = natural(field(value, 'selectableOptionsCount')) ?? 0
  return make('poll', question, { poll: { options, selectable } })
}

/** Metadata of the contextInfo: the innermost one with a value wins. */
function frameOf(contexts: Bag[]): Pick<MessageMetadata, 'isForwarded' | 'ad'> {
  const isForwarded = contexts.some(
    (context) =>
      field(context, 'isForwarded') === true || (integer(field(context, 'forwardingScore')) ?? 0) > 0,
  )
  const ad = contexts
    .map((context) => adOf(field(context, 'externalAdReply')))
    .find((one) => one !== undefined)
  return { ...(isForwarded && { isForwarded }), ...(ad && { ad }) }
}

function adOf(value: unknown): MessageMetadata['ad'] {
  const short = (name: string) => {
    const said = text(field(value, name))
    return said && cut(said, 2000)
  }
  const [title, body, sourceId] = [short('title'), short('body'), short('sourceId')]
  const url = safeUrl(short('sourceUrl'))
  if (!title && !body && !sourceId && !url) return undefined
  return {
    ...(title && { title }),
    ...(body && { body }),
    ...(url && { url }),
    ...(sourceId && { sourceId }),
  }
}
