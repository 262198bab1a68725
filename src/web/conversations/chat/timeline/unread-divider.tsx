import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { type ConversationRead, unreadOf } from '#shared/conversations/reads.ts'
import { unreadMessages } from '#shared/text/text.ts'
import type { TimelineItem } from './timeline.ts'

/** How far the conversation had been read when the chat was opened. */
export interface ReadingStop {
  /** The newest message that had been read, by arrival. */
  lastMessageId: number
  /** How many messages of the contact follow it. */
  unread: number
}

/** @param read undefined if the conversation was never opened */
export function readingStop(
  conversation: Pick<Conversation, 'contactMessageCount'>,
  read: ConversationRead | undefined,
): ReadingStop {
  return { lastMessageId: read?.lastMessageId ?? 0, unread: unreadOf(conversation, read) }
}

function isUnread({ senderType, messageType, id }: Message, { lastMessageId }: ReadingStop) {
  return senderType === 'contact' && isCountedMessage(messageType) && id > lastMessageId
}

/**
 * Adds a divider before the contact's first unread message, below its day. None while that message is on an
 * older page that is not loaded. Pure.
 */
export function withReadingStop(
  items: readonly TimelineItem[],
  stop: ReadingStop | undefined,
): readonly TimelineItem[] {
  if (!stop || stop.unread === 0) return items
  const isStop = (item: TimelineItem) =>
    item.kind === 'message' && !item.pending && isUnread(item.message, stop)
  const first = items.findIndex(isStop)
  if (first === -1 || items.filter(isStop).length < stop.unread) return items
  const parted = items.map((item, index) => {
    if (item.kind !== 'message') return item
    if (index === first) return { ...item, startsGroup: true }
    return index === first - 1 ? { ...item, endsGroup: true } : item
  })
  return parted.toSpliced(first, 0, { kind: 'unread', key: 'unread', count: stop.unread })
}

/** 'N mensagens não lidas', with a line on either side. */
export function UnreadDivider({ count }: { count: number }) {
  return (
    <p
      className={[
        'flex items-center gap-2.5 pt-3.5 pb-2.5 text-xs font-semibold text-accent-text before:h-px',
        'before:flex-1 before:bg-accent-line after:h-px after:flex-1 after:bg-accent-line',
      ].join(' ')}
    >
      {unreadMessages(count)}
    </p>
  )
}
