import { Download, Image as ImageIcon, Play, Video } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { MediaFailure, takeTheFloor, useLoading } from '#web/media/media.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cut } from '#web/ui/cut.ts'
import { boxSize } from './box-size.ts'
import { kindLabel, lookOf } from '#web/conversations/kinds/kinds.ts'
import { duration, fileSize } from '#web/conversations/kinds/measures.ts'
import { isLeftThere, mediaAddress } from '#web/conversations/kinds/media-address.ts'
import { useOpenPicture } from '#web/conversations/kinds/picture-viewer.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'

const mostPx = 300
const stickerPx = 140
const roundPx = 200

const boxLook =
  'relative grid max-w-full place-content-center justify-items-center gap-1 overflow-hidden text-ink-2'

/** An image, video or sticker in a box of its final size, with its caption below. */
export function MediaBox({ message, meta }: { message: Message; meta: ReactNode }) {
  const { messageType, metadata, content } = message
  const isRound = messageType === 'video' && metadata.isRound === true
  const size = isRound
    ? { width: roundPx, height: roundPx }
    : boxSize(metadata, messageType === 'sticker' ? stickerPx : mostPx)
  const ground = messageType === 'sticker' ? '' : 'bg-ink/6'
  return (
    <>
      <div
        className={`${boxLook} ${ground} ${isRound ? 'rounded-full' : 'rounded-[9px]'}`}
        style={{ width: size.width, height: size.height }}
      >
        <Inside message={message} />
      </div>
      <div dir="auto" className="px-[7px] pt-[5px]" style={{ maxWidth: Math.max(size.width, 180) }}>
        <RichText text={content} />
        {meta}
      </div>
    </>
  )
}

function Inside({ message }: { message: Message }) {
  const [isWanted, setIsWanted] = useState(() => !isLeftThere(message))
  const url = mediaAddress(message)
  if (url === undefined) return <Placeholder message={message} />
  if (message.metadata.isDownloadOnly)
    return (
      <Placeholder message={message}>
        <Button size="sm" asChild>
          <a href={`${url}?download=1`} download title={fileSize(message.fileSize)}>
            <Download aria-hidden size={16} className="-ml-[3px] text-ink-2" />
            Baixar
          </a>
        </Button>
      </Placeholder>
    )
  if (!isWanted)
    return (
      <Placeholder message={message}>
        <Button size="sm" icon={Download} onClick={() => setIsWanted(true)}>
          {`Carregar (${fileSize(message.fileSize) ?? ''})`}
        </Button>
      </Placeholder>
    )
  return message.messageType === 'video' ? (
    <Film message={message} url={url} />
  ) : (
    <Picture message={message} url={url} />
  )
}

const filling = 'absolute inset-0 size-full'

function Picture({ message, url }: { message: Message; url: string }) {
  const { messageType, content, metadata } = message
  const loading = useLoading(url)
  const open = useOpenPicture()
  const label = kindLabel(messageType, metadata)
  if (loading.state === 'failed')
    return <MediaFailure icon={ImageIcon} text="Imagem não disponível" onRetry={loading.retry} />
  const isSticker = messageType === 'sticker'
  const fit = isSticker ? 'object-contain' : 'object-cover'
  const picture = (
    <img
      src={loading.src}
      alt={content ? `${label}: ${cut(content)}` : label}
      decoding="async"
      onLoad={loading.onHere}
      onError={loading.onFailed}
      className={`${filling} ${fit} ${loading.state === 'here' ? '' : 'opacity-0'}`}
    />
  )
  return (
    <>
      {loading.state === 'loading' && <Placeholder message={message} />}
      {isSticker || !open || message.id === 0 ? (
        picture
      ) : (
        <button
          type="button"
          aria-label={`Abrir imagem${content ? `: ${cut(content)}` : ''}`}
          onClick={() => open(message.id)}
          className={`${filling} cursor-zoom-in focus-visible:-outline-offset-4`}
        >
          {picture}
        </button>
      )}
    </>
  )
}

/** A GIF plays automatically and without sound, unless the reader prefers reduced motion. */
function Film({ message, url }: { message: Message; url: string }) {
  const { metadata, content } = message
  const loading = useLoading(url)
  const film = useRef<HTMLVideoElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const toggle = () => {
    // A video that cannot be played fires an error event; one stopped before it began is no failure.
    if (film.current?.paused) film.current.play().catch(() => undefined)
    else film.current?.pause()
  }
  const isGif = metadata.isGif === true
  const label = kindLabel('video', metadata)
  if (loading.state === 'failed')
    return <MediaFailure icon={Video} text="Vídeo não disponível" onRetry={loading.retry} />
  const isStill = !isGif || matchMedia('(prefers-reduced-motion: reduce)').matches
  // The browser's own controls do not fit in a circle.
  const isRound = metadata.isRound === true
  const fit = isRound ? 'object-cover' : 'object-contain'
  return (
    <>
      {loading.state === 'loading' && <Placeholder message={message} />}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's film has no captions */}
      <video
        ref={film}
        src={loading.src}
        aria-label={content ? `${label}: ${cut(content)}` : label}
        preload="metadata"
        playsInline
        controls={isStill && !isRound}
        loop={isGif}
        muted={isGif}
        autoPlay={!isStill}
        onLoadedMetadata={loading.onHere}
        onError={loading.onFailed}
        onPlay={(event) => {
          setIsPlaying(true)
          if (isStill) takeTheFloor(event.currentTarget)
        }}
        onPause={() => setIsPlaying(false)}
        className={`${filling} ${fit} ${loading.state === 'here' ? '' : 'opacity-0'}`}
      />
      {isRound && loading.state === 'here' && (
        <button
          type="button"
          aria-label={isPlaying ? 'Pausar' : 'Reproduzir'}
          onClick={toggle}
          className={`${filling} grid place-items-center rounded-full focus-visible:-outline-offset-4`}
        >
          {!isPlaying && (
            <span className="grid size-12 place-items-center rounded-full bg-black/55 text-white">
              <Play aria-hidden size={22} className="translate-x-px" />
            </span>
          )}
        </button>
      )}
    </>
  )
}

/** Icon and name of the media until it has loaded. */
function Placeholder({ message, children }: { message: Message; children?: ReactNode }) {
  const { messageType, metadata } = message
  const Icon = lookOf(messageType).icon ?? ImageIcon
  const length = messageType === 'video' ? duration(metadata.seconds) : undefined
  return (
    <span className="grid justify-items-center gap-1 text-xs">
      <Icon aria-hidden size={20} />
      <span>{kindLabel(messageType, metadata)}</span>
      {length && <span className="tabular-nums">{length}</span>}
      {children}
    </span>
  )
}
