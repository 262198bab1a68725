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
import type { ReactNode } from 'react'
import type { Message } from '#shared/conversations.ts'
import { messageTypeLabels, unsupportedMessage } from '#shared/text.ts'
import { boxSize } from './box-size.ts'
import { RichText } from './rich-text.tsx'
import { duration, fileSize } from './measures.ts'

/** What a message says, by its kind. `meta` floats at the end of the last line. */
export function MessageBody({ message, meta }: { message: Message; meta: ReactNode }) {
  const { messageType, content } = message
  if (messageType === 'image' || messageType === 'video' || messageType === 'sticker')
    return <MediaBox message={message} meta={meta} />
  if (messageType === 'text' || messageType.startsWith('queue') || messageType.includes('warning'))
    return (
      <div dir="auto">
        <RichText text={content} />
        {meta}
      </div>
    )
  return <LabelledLine message={message} meta={meta} />
}

const boxIcons: Partial<Record<Message['messageType'], LucideIcon>> = {
  image: ImageIcon,
  video: Video,
  sticker: Sticker,
}

/** Reserves the place of a picture at its final size; the picture itself comes with the media. */
function MediaBox({ message, meta }: { message: Message; meta: ReactNode }) {
  const Icon = boxIcons[message.messageType] ?? ImageIcon
  const size = boxSize(message.metadata, message.messageType === 'sticker' ? 140 : 300)
  return (
    <>
      <div
        className="grid max-w-full place-content-center justify-items-center gap-1 rounded-[9px] bg-ink/6 text-ink-2"
        style={{ width: size.width, height: size.height }}
      >
        <Icon aria-hidden size={20} />
        <span className="text-xs">{messageTypeLabels[message.messageType]}</span>
      </div>
      <div dir="auto" className="px-[7px] pt-[5px]" style={{ maxWidth: Math.max(size.width, 180) }}>
        <RichText text={message.content} />
        {meta}
      </div>
    </>
  )
}

const lineIcons: Partial<Record<Message['messageType'], LucideIcon>> = {
  audio: Mic,
  document: FileText,
  contact: Contact,
  location: MapPin,
  poll: ChartNoAxesColumn,
}

/** An icon, a title and one line of detail. */
function LabelledLine({ message, meta }: { message: Message; meta: ReactNode }) {
  const Icon = lineIcons[message.messageType]
  const { title, detail, text } = lineOf(message)
  return (
    <div className="max-w-full" style={{ width: message.messageType === 'unsupported' ? undefined : 268 }}>
      <div className="flex items-center gap-2.5 pt-0.5">
        {Icon && (
          <span className="grid h-10 w-9 flex-none place-items-center rounded-[6px] bg-ink/7 text-ink-2">
            <Icon aria-hidden size={20} />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span
            className={Icon ? 'block truncate font-medium' : 'text-ink-2 italic'}
            title={title}
            dir="auto"
          >
            {title}
          </span>
          {detail && <span className="block text-xs text-ink-2 tabular-nums">{detail}</span>}
        </span>
        {!text && <span className="self-end">{meta}</span>}
      </div>
      {text && (
        <div dir="auto" className="mt-1">
          <RichText text={text} />
          {meta}
        </div>
      )}
    </div>
  )
}

interface Line {
  title: string
  detail?: string | undefined
  /** Below: a caption, an address, a card. */
  text: string
}

function lineOf({ messageType, content, metadata, fileName, fileSize: sizeBytes }: Message): Line {
  const label = messageTypeLabels[messageType] ?? unsupportedMessage
  if (messageType === 'audio') return { title: label, detail: duration(metadata.seconds), text: content }
  if (messageType !== 'document') return { title: label, text: content }
  const title = fileName ?? label
  return { title, detail: fileSize(sizeBytes), text: content === title ? '' : content }
}
