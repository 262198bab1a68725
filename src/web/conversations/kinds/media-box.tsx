import { Image as ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#shared/conversations.ts'
import { boxSize } from './box-size.ts'
import { kindIcons, kindLabel } from './kind.ts'
import { duration } from './measures.ts'
import { RichText } from './rich-text.tsx'

const mostPx = 300
const stickerPx = 140
const roundPx = 200

/** Reserves the place of a picture at its final size; the picture itself comes with the media. */
export function MediaBox({ message, meta }: { message: Message; meta: ReactNode }) {
  const { messageType, metadata, content } = message
  const Icon = kindIcons[messageType] ?? ImageIcon
  const isRound = messageType === 'video' && metadata.isRound === true
  const size = isRound
    ? { width: roundPx, height: roundPx }
    : boxSize(metadata, messageType === 'sticker' ? stickerPx : mostPx)
  const length = messageType === 'video' ? duration(metadata.seconds) : undefined
  return (
    <>
      <div
        className={`grid max-w-full place-content-center justify-items-center gap-1 bg-ink/6 text-ink-2 ${isRound ? 'rounded-full' : 'rounded-[9px]'}`}
        style={{ width: size.width, height: size.height }}
      >
        <Icon aria-hidden size={20} />
        <span className="text-xs">{kindLabel(messageType, metadata)}</span>
        {length && <span className="text-xs tabular-nums">{length}</span>}
      </div>
      <div dir="auto" className="px-[7px] pt-[5px]" style={{ maxWidth: Math.max(size.width, 180) }}>
        <RichText text={content} />
        {meta}
      </div>
    </>
  )
}
