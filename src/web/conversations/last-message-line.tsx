import {
  ChartNoAxesColumn,
  Contact,
  FileText,
  Image as ImageIcon,
  MapPin,
  Mic,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react'
import type { Conversation, MessageType } from '#shared/conversations.ts'
import { messageTypeLabels, noMessages } from '#shared/text.ts'

const icons: Partial<Record<MessageType, LucideIcon>> = {
  audio: Mic,
  image: ImageIcon,
  video: Video,
  document: FileText,
  sticker: Sticker,
  contact: Contact,
  location: MapPin,
  poll: ChartNoAxesColumn,
}

const look = 'min-w-0 flex-1 truncate text-left'

/** The last message of a conversation on one line. */
export function LastMessageLine({ message }: { message: Conversation['lastMessage'] }) {
  if (!message) return <span className={look}>{noMessages}</span>
  const Icon = icons[message.messageType]
  const text = message.content || messageTypeLabels[message.messageType] || ''
  return (
    <span className={look} dir="auto" title={text}>
      {message.senderType === 'user' && 'Você: '}
      {Icon && <Icon aria-hidden size={14} className="mr-1 inline-block align-[-2px]" />}
      {text}
    </span>
  )
}
