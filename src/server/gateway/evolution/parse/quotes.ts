import type { IncomingMessage, Peer } from './gateway-events.ts'
import { contentOf } from './content.ts'
import { isAddressOf, isSamePerson, kindOfAddress } from './peers.ts'
import { bag, cut, field, idOf, text } from './values.ts'
import { unwrap } from './wrappers.ts'

type Quoted = NonNullable<IncomingMessage['quoted']>

interface Chat {
  peer: Peer
  /** Our own address, as the envelope gives it. */
  sender: unknown
  /** Whether we quote. */
  fromMe: boolean
}

/** The quoted message, from the contextInfo of the message or of its content. */
export function quoteIn(message: unknown, contextInfo: unknown, chat: Chat): Quoted | undefined {
  for (const context of [bag(contextInfo), ...unwrap(message).contexts]) {
    const waId = idOf(field(context, 'stanzaId'))
    if (!waId) continue
    const isStatus = text(field(context, 'remoteJid')) === statuses
    // Whoever answers a status writes to its author.
    const author = authorOf(context, chat) ?? (isStatus ? (chat.fromMe ? 'contact' : 'user') : undefined)
    const { type, content } = quoteOf(field(context, 'quotedMessage'))
    return { waId, content, type, ...(author && { from: author }), ...(isStatus && { isStatus }) }
  }
  return undefined
}

/** The chat that everybody's statuses are in. */
const statuses = 'status@broadcast'

/** One line of text for a quote. Where there is none, its reader shows the name of the kind. */
function quoteOf(message: unknown): Pick<Quoted, 'type' | 'content'> {
  const { messageType: type, content } = contentOf(message)
  return { type, content: type === 'unsupported' ? '' : cut(content, 1000) }
}

/**
 * The side that wrote the quoted message; undefined when its author's address is neither side's. An address
 * of a kind that is known of one side, and differs from it, is the other side's, but only in a quote of this
 * chat: what was written in a group may be by anybody.
 */
function authorOf(context: unknown, { peer, sender }: Chat): Quoted['from'] {
  const author = field(context, 'participant')
  if (isAddressOf(peer, author)) return 'contact'
  if (isSamePerson(author, sender)) return 'user'
  const chat = text(field(context, 'remoteJid'))
  if (chat !== undefined && !isAddressOf(peer, chat)) return undefined
  const kind = kindOfAddress(author)
  if (kind === undefined) return undefined
  if (peer[kind] !== undefined) return 'user'
  return kindOfAddress(sender) === kind ? 'contact' : undefined
}
