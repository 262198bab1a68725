import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import {
  hiddenNumber,
  subStatusLabels,
  unknownContact,
  unknownWaitingFor,
  waitingForLabels,
} from '#shared/text/text.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { TypingOr } from '#web/conversations/presence/typing.tsx'
import { Viewers } from '#web/conversations/presence/viewers.tsx'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'
import { selectByClick } from '#web/conversations/selection/row-select.tsx'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { NumberTag } from '#web/numbers/numbers.tsx'
import { RowFrame } from './row-frame.tsx'
import { SummaryLine } from './summary-line.tsx'
import { UnreadBadge } from './unread-badge.tsx'

const mineLook = [
  'border-red-line',
  'bg-[color-mix(in_oklab,var(--color-red-soft)_var(--mine-mix),var(--color-surface))]',
  'shadow-[inset_3px_0_0_var(--color-red)]',
].join(' ')
const cardLook = [
  'grid grid-cols-[36px_minmax(0,1fr)] items-start gap-x-2.5 rounded-card border px-3',
  'py-2.5 md:grid-cols-[40px_minmax(0,1fr)_min(364px,46%)] md:items-center md:gap-x-3.5 md:gap-y-1.5',
  'md:py-[11px] md:pr-4 md:pl-3.5 lg:grid-cols-[40px_minmax(0,1fr)_284px_min(364px,37%)]',
].join(' ')
const boxPlace =
  'top-[11px] left-[13px] size-9 md:top-1/2 md:left-[15px] md:mt-0 md:size-10 md:-translate-y-1/2'
const dot = <span aria-hidden>·</span>

/** One conversation on the list of active conversations. */
export function ConversationCard({
  conversation,
  number,
  unread,
  isMine,
  selection,
  nowMs,
}: {
  conversation: Conversation
  /** The name of the number it goes by, where that is to be shown. */
  number?: string | undefined
  /** Unread messages of the contact. */
  unread: number
  isMine: boolean
  selection: Selection
  nowMs: number
}) {
  const { contact } = conversation
  const name = contact.name || unknownContact
  const isUnread = unread > 0
  return (
    <RowFrame
      conversation={conversation}
      selection={selection}
      boxPlace={boxPlace}
      actionsPlace={[
        'right-[394px] bottom-1 rounded-control border border-line',
        'bg-surface max-md:hidden lg:right-[692px]',
      ].join(' ')}
    >
      <Link
        href={`/chat?conversation=${conversation.id}`}
        onClickCapture={selectByClick(selection, conversation)}
        className={cn(cardLook, groundOf(selection.has(conversation.id), isMine))}
      >
        <Avatar name={name} src={contact.avatarUrl} size={40} className="max-md:size-9 max-md:text-sm" />
        <div className="min-w-0">
          <div className="-my-0.5 flex h-6 min-w-0 items-center gap-1.5">
            <span
              className={`min-w-0 truncate text-base ${isUnread ? 'font-semibold' : 'font-medium'}`}
              title={name}
              dir="auto"
            >
              {name}
            </span>
            {contact.company && (
              <span
                className="min-w-0 flex-[0_1000_auto] truncate text-sm text-ink-2"
                title={contact.company.name}
                dir="auto"
              >
                {contact.company.name}
              </span>
            )}
            <Viewers isInside conversationId={conversation.id} className="ml-1" />
            <UnreadBadge count={unread} />
            {isMine && <span className="sr-only">Minha conversa</span>}
          </div>
          <div
            className={`mt-[3px] flex min-w-0 text-sm ${isUnread ? 'font-medium text-ink' : 'text-ink-2'}`}
          >
            <TypingOr conversationId={conversation.id}>
              <SummaryLine conversation={conversation} />
            </TypingOr>
          </div>
        </div>
        <div className="col-start-2 mt-[5px] min-w-0 md:mt-0 lg:col-start-3">
          <div className="flex min-w-0 gap-1.5 overflow-hidden">
            <ConversationBadges
              conversation={conversation}
              parts={['category', 'queue', 'priority', 'origin']}
              isTight
            />
          </div>
          <p
            className={[
              'mt-[3px] flex min-h-5 items-center gap-[5px] text-xs',
              'whitespace-nowrap text-ink-3 tabular-nums',
            ].join(' ')}
          >
            {contact.phone ? formatPhone(contact.phone) : hiddenNumber}
            {number !== undefined && (
              <>
                {dot}
                <NumberTag name={number} />
              </>
            )}
            {dot}
            <span className="truncate">início {dateTime(conversation.startedAt)}</span>
          </p>
        </div>
        <State conversation={conversation} isUnread={isUnread} nowMs={nowMs} />
      </Link>
    </RowFrame>
  )
}

function groundOf(isChosen: boolean, isMine: boolean): string {
  if (isChosen) return 'border-accent-line bg-selected'
  return isMine ? mineLook : 'border-line bg-surface hover:border-line-strong'
}

function State({
  conversation,
  isUnread,
  nowMs,
}: {
  conversation: Conversation
  isUnread: boolean
  nowMs: number
}) {
  const { waitingFor, waitingSince, assignedUser, lastActivityAt } = conversation
  const operator = assignedUser && (
    <>
      {dot}
      <span className="min-w-0 truncate" title={assignedUser.name}>
        {assignedUser.name}
      </span>
    </>
  )
  return (
    <div
      className={[
        'col-start-2 mt-[5px] grid min-w-0 md:col-start-3 md:row-span-2 md:row-start-1',
        'md:mt-0 md:justify-items-end md:self-center lg:col-start-4 lg:row-span-1',
      ].join(' ')}
    >
      <div className="flex min-h-5 items-center gap-1.5">
        {waitingSince && (
          <>
            <Waiting isLong className="max-md:hidden" minutes={minutesSince(waitingSince, nowMs)} />
            <Waiting className="md:hidden" minutes={minutesSince(waitingSince, nowMs)} />
          </>
        )}
        <Badge tone={waitingFor === 'operator' ? 'amber' : 'neutral'}>
          {waitingForLabels[waitingFor] ?? unknownWaitingFor}
        </Badge>
      </div>
      <p
        className={[
          'mt-[3px] flex min-h-5 w-full min-w-0 items-center gap-x-[5px] gap-y-1 max-md:flex-wrap',
          'text-xs whitespace-nowrap text-ink-3 tabular-nums md:justify-end',
        ].join(' ')}
      >
        <span className="flex-none">{subStatusLabels[conversation.subStatus]}</span>
        {operator}
        <span aria-hidden className="max-md:hidden">
          ·
        </span>
        <time
          dateTime={lastActivityAt}
          title={dateTime(lastActivityAt)}
          className={cn('flex-none max-md:ml-auto', isUnread && 'font-medium text-accent-text')}
        >
          Última atividade {relativeTime(Date.parse(lastActivityAt), nowMs)}
        </time>
      </p>
    </div>
  )
}
