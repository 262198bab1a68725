import { Image, Video } from 'lucide-react'
import { useState } from 'react'
import type { ChatMessage } from '#simulator/control-views.ts'
import { apiPrefix } from '#simulator/page/data/api.ts'
import { cn } from '#web/ui/cn.ts'
import { kindName } from '#simulator/page/chat/kind-names.ts'

const box = 'block h-[126px] w-[190px] max-w-full rounded-[9px]'
const circle = 'block size-[150px] max-w-full rounded-full'
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches

/** A photo, video or sticker in a box of fixed size; a photo opens in its own tab. */
export function Picture({
  message,
  media,
}: {
  message: ChatMessage
  media: NonNullable<ChatMessage['media']>
}) {
  const [isBroken, setIsBroken] = useState(false)
  const { kind, round } = message
  const src = `${apiPrefix}${media.path}`
  const onError = () => setIsBroken(true)
  if (isBroken) {
    const Icon = kind === 'video' ? Video : Image
    return (
      <span
        className={cn(
          round ? circle : box,
          'grid place-content-center justify-items-center gap-1 bg-ink/7 text-xs text-ink-2',
        )}
      >
        <Icon size={20} aria-hidden />
        {kindName(message)}
      </span>
    )
  }
  if (kind === 'video') return <Film message={message} src={src} onError={onError} />
  if (kind === 'sticker')
    return <img src={src} alt="Figurinha" onError={onError} className="block size-[110px] object-contain" />
  return (
    <a href={src} target="_blank" rel="noreferrer" title="Abrir a foto" className="block rounded-[9px]">
      <img src={src} alt="Foto" onError={onError} className={`${box} bg-ink/7 object-cover`} />
    </a>
  )
}

/** A GIF loops on its own, unless the user prefers reduced motion. */
function Film({ message, src, onError }: { message: ChatMessage; src: string; onError: () => void }) {
  const { round, gif } = message
  const isLooping = gif === true && !isStill
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what a client filmed has no captions
    <video
      src={src}
      controls={!isLooping}
      autoPlay={isLooping}
      loop={isLooping}
      muted={gif === true}
      playsInline
      preload="metadata"
      aria-label={kindName(message)}
      onError={onError}
      className={`${round ? `${circle} object-cover` : box} bg-ink/7`}
    />
  )
}
