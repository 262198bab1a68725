import { Image, Video } from 'lucide-react'
import { useState } from 'react'
import type { MessageKind } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { apiPrefix } from '#simulator/page/api.ts'

const box = 'block h-[126px] w-[190px] max-w-full rounded-[9px]'

/** A photo, video or sticker in a box that is there before it; a photo opens in a tab of its own. */
export function Picture({ kind, media }: { kind: MessageKind; media: NonNullable<ChatMessage['media']> }) {
  const [isBroken, setIsBroken] = useState(false)
  const src = `${apiPrefix}${media.path}`
  if (isBroken) {
    const Icon = kind === 'video' ? Video : Image
    return (
      <span
        className={`${box} grid place-content-center justify-items-center gap-1 bg-ink/7 text-xs text-ink-2`}
      >
        <Icon size={20} aria-hidden />
        {kind === 'video' ? 'Vídeo' : 'Foto'}
      </span>
    )
  }
  if (kind === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- what a client filmed has no captions
      <video
        src={src}
        controls
        preload="metadata"
        aria-label="Vídeo"
        onError={() => setIsBroken(true)}
        className={`${box} bg-ink/7`}
      />
    )
  if (kind === 'sticker')
    return (
      <img
        src={src}
        alt="Figurinha"
        onError={() => setIsBroken(true)}
        className="block size-[110px] object-contain"
      />
    )
  return (
    <a href={src} target="_blank" rel="noreferrer" title="Abrir a foto" className="block rounded-[9px]">
      <img
        src={src}
        alt="Foto"
        onError={() => setIsBroken(true)}
        className={`${box} bg-ink/7 object-cover`}
      />
    </a>
  )
}
