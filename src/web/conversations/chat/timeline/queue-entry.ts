import type { Conversation } from '#shared/conversations/conversations.ts'
import type { TimelineItem } from './timeline.ts'

/** The opening message may be stored slightly after the conversation's start. */
const momentMs = 1000

/**
 * Adds a line where the client entered the queue, after the client's last message by then. None while that is
 * on an older page, nor in conversations that the team began. Pure.
 */
export function withQueueEntry(
  items: readonly TimelineItem[],
  { initiatedBy, startedAt }: Pick<Conversation, 'initiatedBy' | 'startedAt'>,
): readonly TimelineItem[] {
  if (initiatedBy !== 'contact') return items
  const untilMs = Date.parse(startedAt) + momentMs
  const last = items.findLastIndex(
    (item) =>
      item.kind === 'message' &&
      item.message.senderType === 'contact' &&
      Date.parse(item.message.sortAt) <= untilMs,
  )
  if (last === -1) return items
  return items.toSpliced(last + 1, 0, { kind: 'queued', key: 'queued', at: startedAt })
}
