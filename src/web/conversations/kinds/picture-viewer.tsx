import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import type { Message } from '#shared/messages.ts'
import { Lightbox } from '#web/media/media.tsx'
import { kindLabel } from './kinds.ts'
import { isLeftThere, mediaAddress } from './media-address.ts'

const OpenPicture = createContext<((messageId: number) => void) | undefined>(undefined)

/** Opens a picture of this conversation over the whole screen; undefined where there is no viewer around. */
export function useOpenPicture() {
  return use(OpenPicture)
}

/** The pictures of a timeline, one after the other over the whole screen. */
export function PictureViewer({ messages, children }: { messages: readonly Message[]; children: ReactNode }) {
  const [shownId, setShownId] = useState<number>()
  const pictures = useMemo(
    () =>
      messages
        .filter((message) => message.messageType === 'image' && !isLeftThere(message))
        .flatMap((message) => {
          const src = mediaAddress(message)
          const label = message.content || kindLabel('image')
          return src === undefined ? [] : [{ id: message.id, src, downloadUrl: `${src}?download=1`, label }]
        }),
    [messages],
  )
  return (
    <OpenPicture value={setShownId}>
      {children}
      {shownId !== undefined && (
        <Lightbox
          pictures={pictures}
          shownId={shownId}
          onShow={setShownId}
          onClose={() => setShownId(undefined)}
        />
      )}
    </OpenPicture>
  )
}
