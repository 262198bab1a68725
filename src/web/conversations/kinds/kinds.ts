import {
  ChartNoAxesColumn,
  CircleHelp,
  Contact,
  FileText,
  Image as ImageIcon,
  MapPin,
  Mic,
  Phone,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react'
import { messageTypeLabel, type MessageType } from '#shared/message-kinds.ts'
import type { MessageMetadata } from '#shared/message-metadata.ts'
import type { Message } from '#shared/messages.ts'
import { callText } from '#shared/text.ts'

/** How the console shows a kind of message. */
interface KindLook {
  /** Shown beside the text where only one line fits; null for plain text. */
  icon: LucideIcon | null
  /**
   * What a row of the timeline looks like: a bubble, one of the bubbles with a title and colours of their
   * own, or an event line.
   * @see mock rule 15
   */
  row: 'bubble' | 'queue' | 'warning' | 'initiated' | 'line'
  /** The bubble is filled with a picture, a video or a sticker. */
  isPicture: boolean
  /** Estimated height of the row in pixels, until it has been measured. */
  height: (message: Pick<Message, 'content' | 'metadata'>) => number
}

const textHeight: KindLook['height'] = ({ content }) => 38 + 20 * Math.floor(content.length / 60)
function pictureHeight() {
  return 240
}

const plain = { icon: null, isPicture: false, height: textHeight } as const
const picture = { row: 'bubble', isPicture: true } as const
const card = { row: 'bubble', isPicture: false } as const

const looks = {
  text: { ...plain, row: 'bubble' },
  image: { ...picture, icon: ImageIcon, height: pictureHeight },
  video: { ...picture, icon: Video, height: pictureHeight },
  sticker: { ...picture, icon: Sticker, height: textHeight },
  audio: { ...card, icon: Mic, height: textHeight },
  document: { ...card, icon: FileText, height: textHeight },
  contact: {
    ...card,
    icon: Contact,
    height: ({ metadata }) => 34 + 60 * Math.min(metadata.contacts?.length ?? 1, 5),
  },
  location: { ...card, icon: MapPin, height: textHeight },
  poll: {
    ...card,
    icon: ChartNoAxesColumn,
    height: ({ metadata }) => 80 + 26 * (metadata.poll?.options.length ?? 0),
  },
  unsupported: { ...card, icon: CircleHelp, height: textHeight },
  call: { ...plain, row: 'line', icon: Phone },
  event: { ...plain, row: 'line' },
  view_tracking: { ...plain, row: 'line' },
  warning_auto: { ...plain, row: 'warning' },
  operator_initiated_warning: { ...plain, row: 'initiated' },
  queue_notification: { ...plain, row: 'queue' },
  queue_position: { ...plain, row: 'queue' },
  queue_welcome: { ...plain, row: 'queue' },
} as const satisfies Record<MessageType, KindLook>

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
  return row !== 'bubble' && row !== 'line'
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
