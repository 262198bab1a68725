import { Ban, Radio } from 'lucide-react'
import type { By } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { BubbleMeta } from './bubble-meta.tsx'
import { Document } from './media/document.tsx'
import { MapPicture } from './media/map-picture.tsx'
import { kindName } from './kind-names.ts'
import { Picture } from './media/picture.tsx'
import { RichBody } from './rich/rich-body.tsx'
import { Voice } from './media/voice.tsx'
import { MessageText } from './message-text.tsx'

/** A message's content by its kind, with the time at its end. */
export function BubbleBody({ message, by }: { message: ChatMessage; by: By }) {
  const { kind, text, media, location, rich } = message
  const meta = <BubbleMeta message={message} />
  if (message.deleted) return <Deleted message={message} />
  if (location) return <Place message={message} location={location} />
  if (rich)
    return (
      <>
        <RichBody message={message} rich={rich} by={by} />
        {meta}
      </>
    )
  if (media && kind === 'audio') return <Voice message={message} media={media} />
  if (media && kind === 'document')
    return (
      <>
        <Document media={media} />
        <MessageText text={text} />
        {meta}
      </>
    )
  if (media)
    return (
      <>
        <Picture message={message} media={media} />
        <div className="flow-root px-1.5 pt-1">
          <MessageText text={text} />
          {meta}
        </div>
      </>
    )
  return (
    <>
      {text === '' ? <span className="text-ink-2">{kindName(message)}</span> : <MessageText text={text} />}
      {meta}
    </>
  )
}

function Deleted({ message }: { message: ChatMessage }) {
  return (
    <>
      <span className="inline-flex items-center gap-1.5 text-ink-2">
        <Ban size={14} aria-hidden />
        {message.from === 'phone' ? 'Você apagou esta mensagem' : 'Mensagem apagada'}
      </span>
      <BubbleMeta message={message} />
    </>
  )
}

function Place({
  message,
  location,
}: {
  message: ChatMessage
  location: NonNullable<ChatMessage['location']>
}) {
  const isLive = message.rich?.kind === 'liveLocation'
  return (
    <>
      <MapPicture />
      <div className="flow-root px-1.5 pt-1">
        {isLive ? (
          <>
            <span className="flex items-center gap-1.5 font-medium">
              <Radio size={14} aria-hidden className="shrink-0 text-green" />
              Localização em tempo real
            </span>
            <MessageText text={message.text} />
          </>
        ) : (
          <span dir="auto" className="font-medium">
            {location.name || 'Localização'}
          </span>
        )}
        {location.address && <span className="block text-xs text-ink-2">{location.address}</span>}
        <BubbleMeta message={message} />
      </div>
    </>
  )
}
