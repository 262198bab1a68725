import { unsupportedMessage } from '#shared/text/text.ts'

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
  'note',
  'view_tracking',
  'warning_auto',
  'operator_initiated_warning',
  'queue_notification',
  'queue_position',
  'queue_welcome',
] as const
export type MessageType = (typeof messageTypes)[number]

/** The properties of a kind of message that both sides need. */
interface MessageKind {
  /** The Portuguese name, shown for a message without text; null for a kind that always has text. */
  label: string | null
  /** Part of the exchange between contact and team: counted, unread until read, shown as last message. */
  isCounted: boolean
  /** Shown to administrators only. @see decisions §2 canViewTrackingMessages */
  isTracking: boolean
  /** Has a file in the file store; other kinds are complete in their row. */
  hasFile: boolean
  /** Has a text or caption that can be edited at WhatsApp. */
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
 * The kinds of messages. After a new kind is added to `messageTypes`, the compiler reports every table that
 * needs an entry for it: this one, and those of its look and its body in the web. The test of the migrations
 * reports the constraint of the database.
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
  // A file is attached to a note, and does not make it a message with a file: nothing of it is ever sent.
  note: { label: 'Nota interna', isCounted: false, isTracking: false, hasFile: false, isEditable: false },
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

/** For kinds stored by a newer version: they count, and everybody sees them. */
const unknownKind: MessageKind = { ...plainText, isEditable: false }

function kindOf(type: string): MessageKind {
  return (messageKinds as Readonly<Record<string, MessageKind>>)[type] ?? unknownKind
}

export function isMediaType(type: MessageType): type is MediaType {
  return kindOf(type).hasFile
}

/** Origins of what neither a person nor a client has written. */
export const unwrittenOrigins: readonly string[] = ['automatic', 'assistant']

/** Whether the file is drawn as a picture. */
export function isPictureType(type: MessageType): boolean {
  return type === 'image' || type === 'sticker'
}

/** The types with a file. */
export const mediaTypes: readonly MediaType[] = messageTypes.filter(isMediaType)

/** Whether messages of the kind can be sent once more: a text, or a file. */
export function isSendable(type: MessageType): boolean {
  return type === 'text' || isMediaType(type)
}

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
