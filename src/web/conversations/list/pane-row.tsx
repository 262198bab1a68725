import type { KeyboardEventHandler } from 'react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { CategoryDot } from '#web/ui/badges/category-dot.tsx'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { TypingOr } from '#web/conversations/presence/typing.tsx'
import { Viewers } from '#web/conversations/presence/viewers.tsx'
import { UnreadBadge } from './unread-badge.tsx'
import { SummaryLine } from './summary-line.tsx'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'
import { rowClock } from './row-clock.ts'

const rowLook = [
  'relative flex h-(--height-row) items-center gap-2.5 px-3',
  'shadow-[inset_0_-1px_0_var(--color-line)] focus-visible:-outline-offset-2',
].join(' ')
const openRowLook = [
  'bg-selected before:absolute before:inset-y-2 before:left-0 before:w-[3px]',
  'before:rounded-r-[3px] before:bg-accent',
].join(' ')

/** One conversation in the list beside the chat: two lines, 56 px. @see mock rule 8 */
export function PaneRow({
  conversation,
  unread,
  isHere,
  tabIndex,
  nowMs,
  onKeyDown,
}: {
  conversation: Conversation
  /** Unread messages of the contact. */
  unread: number
  isHere: boolean
  tabIndex: number
  nowMs: number
  onKeyDown: KeyboardEventHandler<HTMLAnchorElement>
}) {
  const { contact, queuePosition, waitingSince } = conversation
  const name = contact.name || unknownContact
  return (
    <Link
      href={`/chat?conversation=${conversation.id}`}
      aria-current={isHere ? 'page' : undefined}
      tabIndex={tabIndex}
      onKeyDown={onKeyDown}
      className={`${rowLook} ${isHere ? openRowLook : 'hover:bg-hover'}`}
    >
      <Avatar name={name} src={contact.avatarUrl} />
      <span className="grid min-w-0 flex-1 gap-px">
        <span className="flex h-[18px] min-w-0 items-center gap-1.5">
          <CategoryDot color={contact.categoryColor} label={categoryLabel(contact.category)} />
          <span className="min-w-0 truncate text-sm font-medium" title={name} dir="auto">
            {name}
          </span>
          {queuePosition > 0 && (
            <span className="flex-none text-xs font-semibold text-orange-text tabular-nums">
              FILA #{queuePosition}
            </span>
          )}
          <time
            dateTime={conversation.lastActivityAt}
            className="ml-auto flex-none pl-1 text-xs text-ink-3 tabular-nums"
          >
            {rowClock(conversation.lastActivityAt, nowMs)}
          </time>
        </span>
        <span
          className={`flex h-[18px] min-w-0 items-center gap-1.5 text-sm ${
            unread > 0 ? 'font-semibold text-ink' : 'text-ink-3'
          }`}
        >
          <TypingOr conversationId={conversation.id}>
            <SummaryLine conversation={conversation} isHere={isHere} />
          </TypingOr>
          <Viewers isInside conversationId={conversation.id} />
          {waitingSince && <Waiting minutes={minutesSince(waitingSince, nowMs)} />}
          <UnreadBadge count={unread} />
        </span>
      </span>
    </Link>
  )
}
