import type { MessageType } from '#shared/conversations.ts'
import { unsupportedMessage } from '#shared/text.ts'
import type { Content } from './gateway-events.ts'
import { cut, field, integer, text, unwrap } from './evolution-values.ts'

const mediaTypes = new Map<string, MessageType>([
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  ['ptvMessage', 'video'],
  ['audioMessage', 'audio'],
  ['documentMessage', 'document'],
  ['stickerMessage', 'sticker'],
])

const plain = (content: string): Content => ({
  messageType: 'text',
  content,
  fileName: undefined,
  mimeType: undefined,
  sizeBytes: undefined,
  metadata: {},
})

/** What a message says and is. Kinds that the console cannot show yet are kept as such, never dropped. */
export function contentOf(message: unknown): Content {
  const { type, value } = unwrap(message)
  const said = saidIn(type, value)
  if (said !== undefined) return plain(said)
  const messageType = mediaTypes.get(type)
  if (messageType) return mediaOf(messageType, value)
  return {
    ...plain(unsupportedMessage),
    messageType: 'unsupported',
    metadata: { gatewayType: cut(type, 64) },
  }
}

/** The text of the kinds that are text. */
function saidIn(type: string, value: unknown): string | undefined {
  if (type === 'conversation') return text(value)
  if (type === 'extendedTextMessage') return text(field(value, 'text'))
  if (type === 'buttonsResponseMessage' || type === 'templateButtonReplyMessage')
    return text(field(value, 'selectedDisplayText')) ?? text(field(value, 'selectedId'))
  if (type === 'listResponseMessage') return text(field(value, 'title'))
  return undefined
}

function mediaOf(messageType: MessageType, value: unknown): Content {
  const seconds = integer(field(value, 'seconds'))
  const width = integer(field(value, 'width'))
  const height = integer(field(value, 'height'))
  return {
    messageType,
    content: text(field(value, 'caption')) ?? '',
    fileName: (text(field(value, 'fileName')) ?? text(field(value, 'title')))?.slice(0, 255),
    mimeType: text(field(value, 'mimetype'))?.slice(0, 200),
    sizeBytes: integer(field(value, 'fileLength')),
    metadata: {
      ...(seconds !== undefined && { seconds }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(messageType === 'audio' && { isVoice: field(value, 'ptt') === true }),
    },
  }
}

/** One line for a quote: the text, or the kind's name is left to whoever shows it. */
export function quoteOf(message: unknown): string {
  const content = contentOf(message)
  return content.messageType === 'unsupported' ? '' : content.content.slice(0, 1000)
}
