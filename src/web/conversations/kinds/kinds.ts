import {
  ChartNoAxesColumn,
  CircleHelp,
  Contact,
  FileText,
  Image as ImageIcon,
  Lock,
  MapPin,
  Mic,
  Phone,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react'
import { messageTypeLabel, type MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { callText } from '#shared/text/text.ts'

/** How the console shows a kind of message. */
interface KindLook {
  /** Shown beside the text where only one line fits; null for plain text. */
  icon: LucideIcon | null
  /**
   * What a row of the timeline looks like: a bubble, a bubble filled by a picture, one of the bubbles with a
   * title and colours of their own, a note of the team, or an event line.
   * @see mock rule 15
   */
  row: 'bubble' | 'picture' | 'queue' | 'warning' | 'initiated' | 'note' | 'line'
  /** Estimated height of the row in pixels, until it has been measured. */
  height: (message: Pick<Message, 'content' | 'metadata'>) => number
}

function defineLook<const Row extends KindLook['row']>(
  icon: LucideIcon | null,
  row: Row,
  height: KindLook['height'] = textHeight,
) {
  return { icon, row, height }
}

function textHeight({ content }: Pick<Message, 'content'>): number {
  return 38 + 20 * Math.floor(content.length / 60)
}

function pictureHeight(): number {
  return 240
}

function noteHeight({ content }: Pick<Message, 'content'>): number {
  return 66 + 20 * Math.floor(content.length / 90)
}

const looks = {
  text: defineLook(null, 'bubble'),
  image: defineLook(ImageIcon, 'picture', pictureHeight),
  video: defineLook(Video, 'picture', pictureHeight),
  audio: defineLook(Mic, 'bubble'),
  document: defineLook(FileText, 'bubble'),
  sticker: defineLook(Sticker, 'picture'),
  contact: defineLook(
    Contact,
    'bubble',
    ({ metadata }) => 34 + 60 * Math.min(metadata.contacts?.length ?? 1, 5),
  ),
  location: defineLook(MapPin, 'bubble'),
  poll: defineLook(
    ChartNoAxesColumn,
    'bubble',
    ({ metadata }) => 80 + 26 * (metadata.poll?.options.length ?? 0),
  ),
  call: defineLook(Phone, 'line'),
  unsupported: defineLook(CircleHelp, 'bubble'),
  event: defineLook(null, 'line'),
  note: defineLook(Lock, 'note', noteHeight),
  view_tracking: defineLook(null, 'line'),
  warning_auto: defineLook(null, 'warning'),
  operator_initiated_warning: defineLook(null, 'initiated'),
  queue_notification: defineLook(null, 'queue'),
  queue_position: defineLook(null, 'queue'),
  queue_welcome: defineLook(null, 'queue'),
} satisfies Record<MessageType, KindLook>

/** The look of a kind; a kind that only a newer server knows looks like plain text. */
export function lookOf(type: MessageType): KindLook {
  return (looks as Readonly<Partial<Record<MessageType, KindLook>>>)[type] ?? looks.text
}

/** The kinds that are event lines rather than bubbles. */
export type LineType = {
  [Type in keyof typeof looks]: (typeof looks)[Type]['row'] extends 'line' ? Type : never
}[keyof typeof looks]

export function isLine(type: MessageType): type is LineType {
  return lookOf(type).row === 'line'
}

/** Whether the bubble has a title and colours of its own. @see mock rule 15 */
export function isSpecial(type: MessageType): boolean {
  const { row } = lookOf(type)
  return row === 'queue' || row === 'warning' || row === 'initiated'
}

export const viewOnceLabel = 'Visualização única'

/** The name of a message without text of its own; without metadata, the name of its type. */
export function kindLabel(type: MessageType, metadata: MessageMetadata = {}): string {
  if (type === 'audio' && metadata.isVoice === false) return 'Arquivo de áudio'
  if (type === 'video' && metadata.isRound) return 'Mensagem de vídeo'
  if (type === 'video' && metadata.isGif) return 'GIF'
  if (type === 'location' && metadata.location?.isLive) return 'Localização em tempo real'
  if (type === 'unsupported' && metadata.isViewOnce) return viewOnceLabel
  if (type === 'call') return callText(metadata.call ?? { isVideo: false, outcome: 'ringing' })
  return messageTypeLabel(type)
}
