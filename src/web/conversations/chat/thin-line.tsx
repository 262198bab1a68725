import {
  ArrowRightLeft,
  Check,
  Eye,
  type LucideIcon,
  Phone,
  PhoneCall,
  PhoneMissed,
  Undo2,
  UserRoundPlus,
  Video,
  VideoOff,
} from 'lucide-react'
import type { ConversationAct, Message } from '#shared/conversations.ts'
import { actText, callText } from '#shared/text.ts'
import { clockTime } from '#web/platform/server-clock.ts'

const callIcons = { ringing: PhoneCall, missed: PhoneMissed, answered: Phone }
const videoCallIcons = { ringing: Video, missed: VideoOff, answered: Video }
const actIcons: Record<ConversationAct, LucideIcon> = {
  taken: UserRoundPlus,
  assigned: UserRoundPlus,
  returned: Undo2,
  transferred: ArrowRightLeft,
  finalized: Check,
}

interface Line {
  icon: LucideIcon
  text: string
  tone?: string
  /** Of the icon, where it differs. */
  iconTone?: string
  /** For the team. */
  note?: string
}

/** What is no message but a fact of the conversation: somebody looked at it, took it, gave it away; the client called. */
export function ThinLine({ message }: { message: Message }) {
  const { icon: Icon, text, tone = 'text-ink-3', iconTone = '', note = '' } = lineOf(message)
  return (
    <div className={`mx-auto max-w-[84%] py-[7px] text-center text-xs ${tone}`}>
      <p className="flex items-center justify-center gap-1.5">
        <Icon aria-hidden size={12} className={`flex-none ${iconTone}`} />
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {text}
        </span>
        <span aria-hidden>·</span>
        <time dateTime={message.sortAt} className="tabular-nums">
          {clockTime(message.sortAt)}
        </time>
      </p>
      {note !== '' && (
        <p
          dir="auto"
          className="mx-auto mt-1 w-fit max-w-full rounded-control bg-amber-soft px-2.5 py-1 text-left text-sm whitespace-pre-wrap text-amber-text [overflow-wrap:anywhere]"
        >
          <span className="sr-only">Nota para a equipe: </span>
          {note}
        </p>
      )}
    </div>
  )
}

function lineOf(message: Message): Line {
  const { messageType, content, senderName, metadata } = message
  if (messageType === 'view_tracking') return { icon: Eye, text: content, tone: 'text-red-text' }
  if (messageType === 'event') {
    const { act = 'finalized', to } = metadata.event ?? {}
    return { icon: actIcons[act], text: actText(senderName ?? 'Alguém', act, to), note: content }
  }
  const { isVideo = false, outcome = 'missed' } = metadata.call ?? {}
  return {
    icon: (isVideo ? videoCallIcons : callIcons)[outcome],
    text: content || callText({ isVideo, outcome }),
    ...(outcome === 'missed' && { iconTone: 'text-red-text' }),
  }
}
