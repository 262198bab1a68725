import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { CategoryDot } from '#web/ui/badges/category-dot.tsx'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { LastMessageLine } from '#web/conversations/rows/last-message-line.tsx'
import { ConversationClock } from '#web/conversations/rows/conversation-clock.tsx'

/** An open conversation on the dashboard. */
export function RecentRow({
  conversation,
  nowMs,
  holder,
}: {
  conversation: Conversation
  nowMs: number
  /** Who has it, in the place of its start. */
  holder?: string
}) {
  const { contact, startedAt } = conversation
  const name = contact.name || unknownContact
  return (
    <Link
      href={`/chat?conversation=${conversation.id}`}
      className={[
        'flex min-h-[60px] items-center gap-3 px-4 py-1.5',
        'hover:bg-hover focus-visible:-outline-offset-2',
      ].join(' ')}
    >
      <Avatar name={name} src={contact.avatarUrl} size={40} />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex min-w-0 items-center gap-1.5">
          <CategoryDot
            color={contact.categoryColor}
            label={categoryLabel(contact.category)}
            className="md:hidden"
          />
          <span className="min-w-0 truncate text-base font-semibold" title={name} dir="auto">
            {name}
          </span>
          {contact.company && (
            <span
              className="hidden min-w-0 flex-[0_1000_auto] truncate text-sm text-ink-3 md:block"
              title={contact.company.name}
              dir="auto"
            >
              {contact.company.name}
            </span>
          )}
          <span className="contents max-md:hidden">
            <ConversationBadges conversation={conversation} parts={['category', 'queue']} />
          </span>
          <span className="contents md:hidden">
            <ConversationBadges conversation={conversation} parts={['queue']} />
          </span>
        </span>
        <span className="flex min-w-0 text-sm text-ink-3">
          {conversation.isCard ? (
            'Assuma para ver as mensagens'
          ) : (
            <LastMessageLine message={conversation.lastMessage} />
          )}
        </span>
      </span>
      <span className="grid flex-none justify-items-end gap-[3px] text-xs text-ink-3 tabular-nums">
        <ConversationClock isLong conversation={conversation} nowMs={nowMs} className="max-md:hidden" />
        <ConversationClock conversation={conversation} nowMs={nowMs} className="md:hidden" />
        {holder === undefined ? (
          <time dateTime={startedAt} className="max-md:hidden">
            início {relativeTime(Date.parse(startedAt), nowMs)}
          </time>
        ) : (
          <span className="max-w-28 truncate md:max-w-48" title={holder} dir="auto">
            {holder}
          </span>
        )}
      </span>
    </Link>
  )
}
