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
import { TypingOr } from '#web/conversations/presence/typing.tsx'
import { Viewers } from '#web/conversations/presence/viewers.tsx'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { ConversationClock } from '#web/conversations/rows/conversation-clock.tsx'
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
  'py-2.5 @[600px]:grid-cols-[40px_minmax(0,1fr)_min(364px,46%)] @[600px]:items-center @[600px]:gap-x-3.5',
  '@[600px]:gap-y-1.5 @[600px]:py-[11px] @[600px]:pr-4 @[600px]:pl-3.5',
].join(' ')
const boxPlace = [
  'top-[11px] left-[13px] size-9 @[600px]:top-1/2 @[600px]:left-[15px] @[600px]:mt-0',
  '@[600px]:size-10 @[600px]:-translate-y-1/2',
].join(' ')
const dot = <span aria-hidden>·</span>

/** One conversation on the list of active conversations, whose width decides how it is laid out. */
export function ConversationCard({
  conversation,
  number,
  unread,
  isMine,
  isHere = false,
  selection,
  nowMs,
}: {
  conversation: Conversation
  /** The name of the number it goes by, where that is to be shown. */
  number?: string | undefined
  /** Unread messages of the contact. */
  unread: number
  isMine: boolean
  /** It is open beside the list. */
  isHere?: boolean
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
        'bg-surface @max-[600px]:hidden',
      ].join(' ')}
    >
      <Link
        href={`/chat?conversation=${conversation.id}`}
        onClickCapture={selectByClick(selection, conversation)}
        aria-current={isHere ? 'page' : undefined}
        className={cn(cardLook, groundOf(isHere || selection.has(conversation.id), isMine))}
      >
        <Avatar
          name={name}
          src={contact.avatarUrl}
          size={40}
          className="@max-[600px]:size-9 @max-[600px]:text-sm"
        />
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
        <div className="col-start-2 mt-[5px] min-w-0 @[600px]:mt-0">
          <div className="flex min-w-0 gap-1.5 overflow-hidden">
            <ConversationBadges
              conversation={conversation}
              parts={['category', 'sector', 'queue', 'priority', 'tags', 'origin']}
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
  const { waitingFor, assignedUser, lastActivityAt } = conversation
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
        'col-start-2 mt-[5px] grid min-w-0 @[600px]:col-start-3 @[600px]:row-span-2 @[600px]:row-start-1',
        '@[600px]:mt-0 @[600px]:justify-items-end @[600px]:self-center',
      ].join(' ')}
    >
      <div className="flex min-h-5 items-center gap-1.5">
        <ConversationClock isLong conversation={conversation} nowMs={nowMs} className="@max-[600px]:hidden" />
        <ConversationClock conversation={conversation} nowMs={nowMs} className="@[600px]:hidden" />
        {conversation.snoozedUntil === undefined && (
          <Badge tone={waitingFor === 'operator' ? 'amber' : 'neutral'}>
            {waitingForLabels[waitingFor] ?? unknownWaitingFor}
          </Badge>
        )}
      </div>
      <p
        className={[
          'mt-[3px] flex min-h-5 w-full min-w-0 items-center gap-x-[5px] gap-y-1 @max-[600px]:flex-wrap',
          'text-xs whitespace-nowrap text-ink-3 tabular-nums @[600px]:justify-end',
        ].join(' ')}
      >
        <span className="flex-none">{subStatusLabels[conversation.subStatus]}</span>
        {operator}
        <span aria-hidden className="@max-[600px]:hidden">
          ·
        </span>
        <time
          dateTime={lastActivityAt}
          title={dateTime(lastActivityAt)}
          className={cn('flex-none @max-[600px]:ml-auto', isUnread && 'font-medium text-accent-text')}
        >
          Última atividade {relativeTime(Date.parse(lastActivityAt), nowMs)}
        </time>
      </p>
    </div>
  )
}
