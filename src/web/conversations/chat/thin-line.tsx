import {
  ArrowRightLeft,
  Check,
  Eye,
  type LucideIcon,
  Phone,
  PhoneCall,
  PhoneMissed,
  Shuffle,
  TimerOff,
  Undo2,
  UserRoundPlus,
  Video,
  VideoOff,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConversationAct, Message } from '#shared/conversations.ts'
import { actText, callText, reasonText } from '#shared/text.ts'
import { clockTime } from '#web/platform/server-clock.ts'
import { useMe } from '#web/users/users.tsx'

const callIcons = { ringing: PhoneCall, missed: PhoneMissed, answered: Phone }
const videoCallIcons = { ringing: Video, missed: VideoOff, answered: Video }
const actIcons: Record<ConversationAct, LucideIcon> = {
  taken: UserRoundPlus,
  assigned: UserRoundPlus,
  returned: Undo2,
  transferred: ArrowRightLeft,
  finalized: Check,
  distributed: Shuffle,
  closed_by_inactivity: TimerOff,
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
  const { note = '', ...line } = lineOf(message)
  const { reason, to = '' } = message.metadata.event ?? {}
  return (
    <ThinWords {...line} at={message.sortAt}>
      {note !== '' && (
        <p
          dir="auto"
          className="mx-auto mt-1 w-fit max-w-full rounded-control bg-amber-soft px-2.5 py-1 text-left text-sm whitespace-pre-wrap text-amber-text [overflow-wrap:anywhere]"
        >
          <span className="sr-only">Nota para a equipe: </span>
          {note}
        </p>
      )}
      {reason && <Reason to={to} text={reasonText(reason)} />}
    </ThinWords>
  )
}

/** Why somebody was given the conversation, for whoever asks. */
function Reason({ to, text }: { to: string; text: string }) {
  const isMine = useMe().name === to
  return (
    <details className="mt-0.5">
      <summary className="mx-auto w-fit cursor-pointer font-medium text-accent-text">
        {isMine ? 'Por que veio para mim?' : `Por que foi para ${to}?`}
      </summary>
      <p className="mt-0.5 text-pretty text-ink-2">{text}</p>
    </details>
  )
}

/** A thin line in the middle, with its time. */
export function ThinWords({
  icon: Icon,
  text,
  at,
  tone = 'text-ink-3',
  iconTone = '',
  children,
}: Omit<Line, 'note'> & {
  at: string
  /** Below it. */
  children?: ReactNode
}) {
  return (
    <div className={`mx-auto max-w-[84%] py-[7px] text-center text-xs ${tone}`}>
      <p className="flex items-center justify-center gap-1.5">
        <Icon aria-hidden size={12} className={`flex-none ${iconTone}`} />
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {text}
        </span>
        <span aria-hidden>·</span>
        <time dateTime={at} className="tabular-nums">
          {clockTime(at)}
        </time>
      </p>
      {children}
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
