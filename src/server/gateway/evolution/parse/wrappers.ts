import { type Bag, bag, field } from './values.ts'

/** The gateway's names for content. A message has exactly one of them. */
const contentKinds = [
  'conversation',
  'extendedTextMessage',
  'imageMessage',
  'videoMessage',
  'ptvMessage',
  'audioMessage',
  'documentMessage',
  'stickerMessage',
  'contactMessage',
  'contactsArrayMessage',
  'locationMessage',
  'liveLocationMessage',
  'reactionMessage',
  'protocolMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'buttonsResponseMessage',
  'templateButtonReplyMessage',
  'listResponseMessage',
  'interactiveResponseMessage',
  'listMessage',
  'buttonsMessage',
  'templateMessage',
  'interactiveMessage',
  'orderMessage',
  'productMessage',
  'groupInviteMessage',
  'eventMessage',
  'albumMessage',
  'callLogMessage',
  'callLogMesssage',
]

/** Tried next, before unknown names: content that may be wrapped under its own name, and wrappers. */
const otherKinds = [
  'pollCreationMessage',
  'pollCreationMessageV2',
  'pollCreationMessageV3',
  'pollCreationMessageV4',
  'pollCreationMessageV5',
  'lottieStickerMessage',
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'deviceSentMessage',
]

const viewOnce = new Set(['viewOnceMessage', 'viewOnceMessageV2', 'viewOnceMessageV2Extension'])

/** Keys without meaning for people. */
const noise = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'base64',
  'mediaUrl',
  'speechToText',
])

/** The depth to which bodies are stored; it bounds the loop. */
const deepest = 64

/**
 * The kind of a message without content: somebody wrote something that the gateway could not decrypt, or that
 * WhatsApp withholds from linked devices.
 */
const noContent = 'unknown'

const knownKinds = new Set([...contentKinds, ...otherKinds, noContent])

/** Whether content of a kind comes from a person even when nothing of it can be shown. */
export const isKnownKind = (type: string): boolean => knownKinds.has(type)

export interface Unwrapped {
  /** The key of the content; `noContent` when there is none. */
  type: string
  value: unknown
  isViewOnce: boolean
  /** The contextInfo of every level, innermost first. */
  contexts: Bag[]
}

/**
 * Unwraps a message down to its content. The choice among keys depends on their names and never on their
 * order, which a database does not keep. Any unknown key whose value has a `message` counts as a wrapper: new
 * ones appear often.
 */
export function unwrap(message: unknown): Unwrapped {
  let holder = bag(message)
  let isViewOnce = false
  const contexts: Bag[] = []
  for (let depth = 0; ; depth++) {
    const { name, isWrapper } = chosenIn(holder)
    const value = field(holder, name)
    contexts.push(
      bag(field(field(holder, 'messageContextInfo'), 'contextInfo')),
      bag(field(value, 'contextInfo')),
    )
    isViewOnce ||= viewOnce.has(name)
    if (!isWrapper || depth >= deepest)
      return { type: name, value, isViewOnce, contexts: contexts.toReversed() }
    // An edit may contain a message where its content is expected.
    holder = bag(name === 'message' ? value : field(value, 'message'))
  }
}

const isThere = (value: unknown) => value !== null && value !== undefined && value !== ''

function chosenIn(holder: Bag): { name: string; isWrapper: boolean } {
  const hasMessage = (name: string) => Object.keys(bag(field(field(holder, name), 'message'))).length > 0
  const content = contentKinds.find((name) => isThere(field(holder, name)))
  if (content) return { name: content, isWrapper: false }
  const other = otherKinds.find((name) => isThere(field(holder, name)))
  if (other) return { name: other, isWrapper: hasMessage(other) }
  if (Object.keys(bag(field(holder, 'message'))).length > 0) return { name: 'message', isWrapper: true }
  const names = Object.keys(holder)
    .filter((name) => !noise.has(name) && isThere(holder[name]))
    .sort()
  const wrapper = names.find(hasMessage)
  return { name: wrapper ?? names[0] ?? noContent, isWrapper: wrapper !== undefined }
}
