import { Eye, Phone, PhoneCall, PhoneMissed, Video, VideoOff } from 'lucide-react'
import type { Message } from '#shared/conversations.ts'
import { callText } from '#shared/text.ts'
import { clockTime } from '#web/platform/server-clock.ts'

const callIcons = { ringing: PhoneCall, missed: PhoneMissed, answered: Phone }
const videoCallIcons = { ringing: Video, missed: VideoOff, answered: Video }

/** What is no message but a fact of the conversation: somebody looked at it, the client called. */
export function ThinLine({ message }: { message: Message }) {
  const isView = message.messageType === 'view_tracking'
  const { isVideo = false, outcome = 'missed' } = message.metadata.call ?? {}
  const Icon = isView ? Eye : (isVideo ? videoCallIcons : callIcons)[outcome]
  return (
    <p
      className={`mx-auto flex max-w-[84%] items-center justify-center gap-1.5 py-[7px] text-center text-xs ${isView ? 'text-red-text' : 'text-ink-3'}`}
    >
      <Icon aria-hidden size={12} className={`flex-none ${outcome === 'missed' ? 'text-red-text' : ''}`} />
      <span dir="auto" className="[overflow-wrap:anywhere]">
        {message.content || (!isView && callText({ isVideo, outcome }))}
      </span>
      <span aria-hidden>·</span>
      <time dateTime={message.sortAt} className="tabular-nums">
        {clockTime(message.sortAt)}
      </time>
    </p>
  )
}
