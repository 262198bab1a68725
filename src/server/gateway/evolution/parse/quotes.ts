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
}

/** The quoted message, from the contextInfo of the message or of its content. */
export function quoteIn(message: unknown, contextInfo: unknown, chat: Chat): Quoted | undefined {
  for (const context of [bag(contextInfo), ...unwrap(message).contexts]) {
    const waId = idOf(field(context, 'stanzaId'))
    if (!waId) continue
    const from = authorOf(context, chat)
    return { waId, content: quoteOf(field(context, 'quotedMessage')), ...(from && { from }) }
  }
  return undefined
}

/** One line of text for a quote. Where there is none, the reader of the event shows the name of the kind. */
function quoteOf(message: unknown): string {
  const content = contentOf(message)
  return content.messageType === 'unsupported' ? '' : cut(content.content, 1000)
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
