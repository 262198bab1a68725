import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { Lightbox } from '#web/media/media.tsx'
import { cut } from '#web/ui/cut.ts'
import { kindLabel } from './kinds.ts'
import { isLeftThere, mediaAddress } from './media-address.ts'
import { fileOfNote } from './note-file.ts'

const OpenPicture = createContext<((messageId: number) => void) | undefined>(undefined)

/** Opens a picture of this conversation in full screen; undefined outside a `PictureViewer`. */
export function useOpenPicture() {
  return use(OpenPicture)
}

/** Shows the pictures of its messages in full screen, one after the other. */
export function PictureViewer({ messages, children }: { messages: readonly Message[]; children: ReactNode }) {
  const [shownId, setShownId] = useState<number>()
  const pictures = useMemo(
    () =>
      messages
        .filter(
          (message) =>
            (fileOfNote(message) ?? message).messageType === 'image' &&
            !isLeftThere(message) &&
            !message.metadata.isDownloadOnly,
        )
        .flatMap((message) => {
          const src = mediaAddress(message)
          const label = cut(message.content) || kindLabel('image')
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
