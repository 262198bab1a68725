import type { KeyboardEventHandler } from 'react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { CategoryDot } from '#web/ui/badges/category-dot.tsx'
import { TypingOr } from '#web/conversations/presence/typing.tsx'
import { Viewers } from '#web/conversations/presence/viewers.tsx'
import { ConversationClock } from '#web/conversations/rows/conversation-clock.tsx'
import { selectByClick } from '#web/conversations/selection/row-select.tsx'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { useSectorParts } from '#web/conversations/rows/use-sector-parts.ts'
import { useTagParts } from '#web/conversations/rows/use-tag-parts.ts'
import { NumberTag } from '#web/numbers/numbers.tsx'
import { Holder } from './holder.tsx'
import { rowClock } from './row-clock.ts'
import { RowFrame } from './row-frame.tsx'
import { SummaryLine } from './summary-line.tsx'
import { UnreadBadge } from './unread-badge.tsx'

const rowLook = [
  'relative flex h-(--height-row) items-center gap-2.5 px-3',
  'shadow-[inset_0_-1px_0_var(--color-line)] focus-visible:-outline-offset-2',
].join(' ')
const queueLook = 'max-w-24 flex-none truncate text-xs font-semibold text-orange-text tabular-nums'
/** The row's actions would cover it in part. */
const yieldsLook = 'group-has-[[data-row-actions]]/row:invisible'
const edgeLook = [
  'before:absolute before:inset-y-2 before:left-0 before:w-[3px]',
  'before:rounded-r-[3px] before:bg-accent',
].join(' ')

/** One conversation in two lines, 56 px: beside the chat, and on narrow screens. @see mock rule 8 */
export function ConversationRow({
  conversation,
  number,
  unread,
  isMine,
  selection,
  isHere,
  tabIndex = 0,
  nowMs,
  onKeyDown,
  onFocus,
}: {
  conversation: Conversation
  /** The name of the number it goes by, where that is to be shown. */
  number?: string | undefined
  /** Unread messages of the contact. */
  unread: number
  isMine: boolean
  selection: Selection
  /** Beside the chat: whether it is the open one. Elsewhere those that are mine are marked. */
  isHere?: boolean
  tabIndex?: number
  nowMs: number
  onKeyDown?: KeyboardEventHandler<HTMLAnchorElement>
  onFocus?: () => void
}) {
  const sectors = useSectorParts()
  const tags = useTagParts()
  const { contact, queuePosition, lastActivityAt } = conversation
  const name = contact.name || unknownContact
  const isUnread = unread > 0
  const start = `início ${dateTime(conversation.startedAt)}`
  const isChosen = selection.has(conversation.id)
  const isMarked = isHere === undefined && isMine
  const isBack = isMine && conversation.returnedAt !== undefined
  return (
    <RowFrame
      conversation={conversation}
      selection={selection}
      tabIndex={tabIndex}
      boxPlace="top-2.5 left-3 size-9"
      actionsPlace={cn('inset-y-px right-0 items-center px-2', isHere ? 'bg-selected' : 'bg-hover')}
      onFocus={onFocus}
    >
      <Link
        href={`/chat?conversation=${conversation.id}`}
        aria-current={isHere ? 'page' : undefined}
        tabIndex={tabIndex}
        onKeyDown={onKeyDown}
        onClickCapture={selectByClick(selection, conversation)}
        className={cn(
          rowLook,
          isHere || isChosen ? 'bg-selected' : isBack ? 'bg-blue-soft' : 'hover:bg-hover',
          (isHere || isMarked) && edgeLook,
          isMarked && 'before:bg-red',
        )}
      >
        <span className="relative flex flex-none">
          <Avatar name={name} src={contact.avatarUrl} />
          {sectors && (
            <sectors.SectorSquare
              sectorId={conversation.sectorId}
              className={cn(
                'absolute -right-0.5 -bottom-0.5',
                // It would stick out from behind the box that selects the row.
                selection.isOn
                  ? 'opacity-0'
                  : 'group-hover/row:opacity-0 group-has-[input:focus]/row:opacity-0',
              )}
            />
          )}
        </span>
        <span className="grid min-w-0 flex-1 gap-px">
          <span className="flex h-[18px] min-w-0 items-center gap-1.5">
            <CategoryDot color={contact.categoryColor} label={categoryLabel(contact.category)} />
            <span
              className={`min-w-0 truncate text-sm ${isUnread ? 'font-semibold' : 'font-medium'}`}
              title={name}
              dir="auto"
            >
              {name}
            </span>
            {isMarked && <span className="sr-only">Minha conversa</span>}
            {queuePosition > 0 && (
              <span className={queueLook}>
                {sectors ? (
                  <sectors.QueueText sectorId={conversation.sectorId} position={queuePosition} />
                ) : (
                  `FILA #${queuePosition}`
                )}
              </span>
            )}
            <time
              dateTime={lastActivityAt}
              title={`Última atividade ${dateTime(lastActivityAt)} · ${start}`}
              className={cn(
                'ml-auto flex-none pl-1 text-xs tabular-nums',
                isUnread ? 'font-medium text-accent-text' : 'text-ink-3',
                yieldsLook,
              )}
            >
              <span className="sr-only">Última atividade </span>
              {rowClock(lastActivityAt, nowMs)}
              <span className="sr-only">, {start}</span>
            </time>
          </span>
          <span
            className={`flex h-[18px] min-w-0 items-center gap-1.5 text-sm ${
              isUnread ? 'font-medium text-ink' : 'text-ink-3'
            }`}
          >
            <TypingOr conversationId={conversation.id}>
              <SummaryLine conversation={conversation} isHere={isHere ?? false} />
            </TypingOr>
            <span className={cn('contents', yieldsLook)}>
              <Viewers isInside conversationId={conversation.id} />
              {tags && <tags.TagMark tagIds={conversation.tagIds} />}
              <NumberTag name={number} />
              {!isMine && conversation.assignedUser && <Holder user={conversation.assignedUser} />}
              <ConversationClock conversation={conversation} nowMs={nowMs} />
              <UnreadBadge count={unread} />
            </span>
          </span>
        </span>
      </Link>
    </RowFrame>
  )
}
