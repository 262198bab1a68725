import { Pin } from 'lucide-react'
import { createContext, use } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { clockTime } from '#web/platform/live/server-clock.ts'
import { DeliveryMark } from './delivery-mark.tsx'
import { unreadEdit } from '#shared/text/text.ts'
import { EditedMark } from './edited-mark.tsx'

const metaLook = [
  'relative top-0.5 float-right mt-[5px] ml-2.5 inline-flex h-4 items-center gap-[3px]',
  'text-xs tabular-nums',
].join(' ')

/** How the time of a message is written: in a chat, which has a line for each day, without the date. */
export const MessageTime = createContext<(instant: string) => string>(clockTime)

/** At the end of a message: pinned, recovered or edited, its time, and its delivery status. */
export function MessageMeta({ message, ink }: { message: Message; ink: string }) {
  const timeOf = use(MessageTime)
  return (
    <span dir="ltr" data-unsearched className={`${metaLook} ${ink}`}>
      {message.isPinned && (
        <span className="mr-0.5 inline-flex items-center gap-0.5">
          <Pin aria-hidden size={12} />
          fixada
        </span>
      )}
      {message.metadata.recovered && <span className="mr-0.5">recuperada</span>}
      {message.editedAt && <EditedMark message={message} />}
      {message.metadata.unreadEditAt && <span className="mr-0.5">{unreadEdit}</span>}
      <time dateTime={message.sortAt}>{timeOf(message.sortAt)}</time>
      {message.senderType === 'user' && message.deliveryStatus && (
        <DeliveryMark status={message.deliveryStatus} />
      )}
    </span>
  )
}
