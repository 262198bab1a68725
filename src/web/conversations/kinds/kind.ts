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
import type { MessageMetadata, MessageType } from '#shared/conversations.ts'
import { callText, messageTypeLabels } from '#shared/text.ts'

/** None for what is plain text. */
export const kindIcons: Partial<Record<MessageType, LucideIcon>> = {
  audio: Mic,
  image: ImageIcon,
  video: Video,
  document: FileText,
  sticker: Sticker,
  contact: Contact,
  location: MapPin,
  poll: ChartNoAxesColumn,
  call: Phone,
  unsupported: CircleHelp,
}

export const viewOnceLabel = 'Visualização única'

/** What a message without words of its own is called; a row without metadata has the name of its type. */
export function kindLabel(type: MessageType, metadata: MessageMetadata = {}): string {
  if (type === 'audio' && metadata.isVoice === false) return 'Arquivo de áudio'
  if (type === 'video' && metadata.isRound) return 'Mensagem de vídeo'
  if (type === 'video' && metadata.isGif) return 'GIF'
  if (type === 'location' && metadata.location?.isLive) return 'Localização em tempo real'
  if (type === 'unsupported' && metadata.isViewOnce) return viewOnceLabel
  if (type === 'call') return callText(metadata.call ?? { isVideo: false, outcome: 'ringing' })
  return messageTypeLabels[type] ?? ''
}
