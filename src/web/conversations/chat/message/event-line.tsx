import {
  ArrowRightLeft,
  Ban,
  Check,
  CirclePause,
  CirclePlay,
  Eye,
  EyeOff,
  type LucideIcon,
  MessageSquareOff,
  Phone,
  PhoneCall,
  PhoneMissed,
  Shuffle,
  Smartphone,
  Sparkles,
  Tag,
  TimerOff,
  TriangleAlert,
  Undo2,
  UserRound,
  UserRoundPlus,
  Video,
  VideoOff,
  Zap,
} from 'lucide-react'
import { type ReactNode, use } from 'react'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { actText, reasonText } from '#shared/text/conversations/event-texts.ts'
import { callText } from '#shared/text/text.ts'
import type { LineType } from '#web/conversations/kinds/kinds.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { cut } from '#web/ui/cut.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { useMe } from '#web/users/users.tsx'
import { MessageTime } from './message-meta.tsx'

const callIcons = { ringing: PhoneCall, missed: PhoneMissed, answered: Phone }
const videoCallIcons = { ringing: Video, missed: VideoOff, answered: Video }
const actIcons: Record<ConversationAct, LucideIcon> = {
  taken: UserRoundPlus,
  assigned: UserRoundPlus,
  returned: Undo2,
  transferred: ArrowRightLeft,
  moved: ArrowRightLeft,
  placed: ArrowRightLeft,
  finalized: Check,
  reason_changed: Check,
  tagged: Tag,
  macro: Zap,
  blocked: Ban,
  anonymized: EyeOff,
  distributed: Shuffle,
  closed_by_inactivity: TimerOff,
  closed_as_blocked: Ban,
  reopened: Undo2,
  kept_open: Undo2,
  not_shown: Smartphone,
  text_withdrawn: MessageSquareOff,
  snoozed: CirclePause,
  resumed: CirclePlay,
  snooze_over: CirclePlay,
  snooze_answered: CirclePlay,
  assistant_on: Sparkles,
  assistant_off: Sparkles,
  assistant_asked_person: UserRound,
  assistant_failed: TriangleAlert,
}

interface Line {
  icon: LucideIcon
  text: string
  tone?: string
  /** Tone of the icon, if it differs. */
  iconTone?: string
  /** Note for the team. */
  note?: string
}

/**
 * An event of the conversation rather than a message: it was viewed, assigned or transferred, or the client
 * called.
 */
export function EventLine({ message, type }: { message: Message; type: LineType }) {
  const { note = '', ...line }: Line = lines[type](message)
  const { reason, to = '' } = message.metadata.event ?? {}
  return (
    <LineText {...line} at={message.sortAt}>
      {note !== '' && (
        <p
          dir="auto"
          className={[
            'mx-auto mt-1 w-fit max-w-full rounded-control bg-amber-soft px-2.5 py-1',
            'text-left text-sm whitespace-pre-wrap text-amber-text [overflow-wrap:anywhere]',
          ].join(' ')}
        >
          <span className="sr-only">Nota para a equipe: </span>
          <RichText text={note} />
        </p>
      )}
      {reason && <Reason to={to} text={reasonText(reason)} />}
    </LineText>
  )
}

/** Why the distribution chose this operator. */
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

/** A centred line of the timeline with its time. */
export function LineText({
  icon: Icon,
  text,
  at,
  tone = 'text-ink-3',
  iconTone = '',
  children,
}: Omit<Line, 'note'> & {
  at: string
  /** Shown below the line. */
  children?: ReactNode
}) {
  const timeOf = use(MessageTime)
  return (
    <div className={`mx-auto max-w-[84%] py-[7px] text-center text-xs ${tone}`}>
      <p className="flex items-center justify-center gap-1.5">
        <Icon aria-hidden size={12} className={`flex-none ${iconTone}`} />
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {text}
        </span>
        <span aria-hidden>·</span>
        <time dateTime={at} className="whitespace-nowrap tabular-nums">
          {timeOf(at)}
        </time>
      </p>
      {children}
    </div>
  )
}

const lines = {
  view_tracking: ({ content }) => ({ icon: Eye, text: cut(content), tone: 'text-red-text' }),
  event: ({ content, senderName, metadata }) => {
    const { act = 'finalized', to, ended, until } = metadata.event ?? {}
    const receiver = until === undefined ? to : dateTime(until)
    const text = actText(senderName ?? 'Alguém', act, receiver, ended, metadata.event)
    return { icon: actIcons[act], text, note: content }
  },
  call: ({ content, metadata }) => {
    const { isVideo = false, outcome = 'missed' } = metadata.call ?? {}
    return {
      icon: (isVideo ? videoCallIcons : callIcons)[outcome],
      text: cut(content) || callText({ isVideo, outcome }),
      ...(outcome === 'missed' && { iconTone: 'text-red-text' }),
    }
  },
} satisfies Record<LineType, (message: Message) => Line>
