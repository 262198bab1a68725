import { unsupportedMessage } from './text.ts'

export const messageTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'contact',
  'location',
  'poll',
  'call',
  'unsupported',
  'event',
  'view_tracking',
  'warning_auto',
  'operator_initiated_warning',
  'queue_notification',
  'queue_position',
  'queue_welcome',
] as const
export type MessageType = (typeof messageTypes)[number]

/** What both sides have to know of a kind of message. */
interface MessageKind {
  /** Portuguese name, shown where a message has no text of its own; null for a kind that always has text. */
  label: string | null
  /**
   * Belongs to the exchange between contact and team: counted, unread until read, shown as the last message.
   */
  isCounted: boolean
  /** Shown to administrators only. @see decisions §2 canViewTrackingMessages */
  isTracking: boolean
  /** Has a file in the file store; every other kind is complete in its row. */
  hasFile: boolean
  /** Its text can be edited at WhatsApp: a text, or a caption. */
  isEditable: boolean
}

const plainText = { label: null, isCounted: true, isTracking: false, hasFile: false } as const
const media = { isCounted: true, isTracking: false, hasFile: true } as const
const content = { isCounted: true, isTracking: false, hasFile: false, isEditable: false } as const
const tracking = {
  label: null,
  isCounted: false,
  isTracking: true,
  hasFile: false,
  isEditable: false,
} as const

/**
 * The kinds of messages. A new kind is added to `messageTypes`; the compiler then names every table that has
 * to decide about it: this one, its look and its body on the web.
 */
const messageKinds = {
  text: { ...plainText, isEditable: true },
  image: { ...media, label: 'Imagem', isEditable: true },
  video: { ...media, label: 'Vídeo', isEditable: true },
  audio: { ...media, label: 'Áudio', isEditable: false },
  document: { ...media, label: 'Documento', isEditable: false },
  sticker: { ...media, label: 'Figurinha', isEditable: false },
  contact: { ...content, label: 'Contato' },
  location: { ...content, label: 'Localização' },
  poll: { ...content, label: 'Enquete' },
  call: { ...content, label: 'Chamada' },
  unsupported: { ...content, label: unsupportedMessage },
  event: { label: null, isCounted: false, isTracking: false, hasFile: false, isEditable: false },
  view_tracking: tracking,
  warning_auto: { ...plainText, isEditable: false },
  operator_initiated_warning: { ...plainText, isEditable: false },
  queue_notification: tracking,
  queue_position: tracking,
  queue_welcome: tracking,
} as const satisfies Record<MessageType, MessageKind>

type Kinds = typeof messageKinds

export type MediaType = {
  [Type in keyof Kinds]: Kinds[Type]['hasFile'] extends true ? Type : never
}[keyof Kinds]

/** A newer version may have stored kinds that this one does not know: they count, and everybody sees them. */
const unknownKind: MessageKind = { ...plainText, isEditable: false }

function kindOf(type: string): MessageKind {
  return (messageKinds as Readonly<Record<string, MessageKind>>)[type] ?? unknownKind
}

export function isMediaType(type: MessageType): type is MediaType {
  return kindOf(type).hasFile
}

/** The types of messages that have a file. */
export const mediaTypes: readonly MediaType[] = messageTypes.filter(isMediaType)

/** Whether messages of a kind have a text or caption that can be edited. */
export function hasEditableText(type: MessageType): boolean {
  return kindOf(type).isEditable
}

/** The Portuguese name of a kind; '' for a kind that always has text. */
export function messageTypeLabel(type: MessageType): string {
  return kindOf(type).label ?? ''
}

export function isTrackingType(type: string): boolean {
  return kindOf(type).isTracking
}

/** Whether a row counts as a message of its conversation; events and tracking rows do not. */
export function isCountedMessage(type: string): boolean {
  return kindOf(type).isCounted
}
