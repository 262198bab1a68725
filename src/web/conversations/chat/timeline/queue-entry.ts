import type { Conversation } from '#shared/conversations.ts'
import type { TimelineItem } from './timeline.ts'

/** The message that opens a conversation may be stored a moment after it. */
const momentMs = 1000

/**
 * The timeline with a line where the client entered the queue: behind the last thing that he had written by then. Nowhere
 * while that stands on an older page, nor where we began. Pure.
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
