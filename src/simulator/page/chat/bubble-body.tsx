import { Ban, FileText } from 'lucide-react'
import type { ChatMessage } from '#simulator/control-views.ts'
import { apiPrefix } from '#simulator/page/api.ts'
import { BubbleMeta } from './bubble-meta.tsx'
import { MapPicture } from './map-picture.tsx'
import { Picture } from './picture.tsx'
import { Voice } from './voice.tsx'

type Media = NonNullable<ChatMessage['media']>

/** What a message says, by its kind, with the time at its end. */
export function BubbleBody({ message }: { message: ChatMessage }) {
  const { kind, text, media, location } = message
  const meta = <BubbleMeta message={message} />
  if (message.deleted)
    return (
      <>
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Ban size={14} aria-hidden />
          {message.from === 'phone' ? 'Você apagou esta mensagem' : 'Mensagem apagada'}
        </span>
        {meta}
      </>
    )
  if (media && kind === 'audio') return <Voice message={message} media={media} />
  if (media && kind === 'document')
    return (
      <>
        <Document media={media} />
        <Words text={text} />
        {meta}
      </>
    )
  if (media)
    return (
      <>
        <Picture kind={kind} media={media} />
        <div className="flow-root px-1.5 pt-1">
          <Words text={text} />
          {meta}
        </div>
      </>
    )
  if (location)
    return (
      <>
        <MapPicture />
        <div className="flow-root px-1.5 pt-1">
          <span className="font-medium">{location.name || 'Localização'}</span>
          {location.address && <span className="block text-xs text-ink-2">{location.address}</span>}
          {meta}
        </div>
      </>
    )
  return (
    <>
      <Words text={text} />
      {meta}
    </>
  )
}

const Words = ({ text }: { text: string }) =>
  text === '' ? null : (
    <span dir="auto" className="whitespace-pre-wrap">
      {text}
    </span>
  )

const kilobyte = 1024
const sizeWords = (bytes: number): string => {
  const isBig = bytes >= kilobyte * kilobyte
  const number = bytes / (isBig ? kilobyte * kilobyte : kilobyte)
  return `${number.toLocaleString('pt-BR', { maximumFractionDigits: number < 10 ? 1 : 0 })} ${isBig ? 'MB' : 'KB'}`
}

function Document({ media }: { media: Media }) {
  const name = media.fileName ?? 'Documento'
  return (
    <a
      href={`${apiPrefix}${media.path}`}
      download={name}
      className="flex w-[186px] max-w-full items-center gap-2.5 rounded-[6px] pt-0.5"
    >
      <span className="grid h-10 w-9 shrink-0 place-items-center rounded-[6px] bg-ink/7 text-ink-2">
        <FileText size={20} aria-hidden />
      </span>
      <span className="min-w-0">
        <span title={name} className="block truncate font-medium">
          {name}
        </span>
        <span className="block text-xs text-ink-2 tabular-nums">{sizeWords(media.sizeBytes)}</span>
      </span>
    </a>
  )
}
