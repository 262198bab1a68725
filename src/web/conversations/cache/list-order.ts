import type { Conversation } from '#shared/conversations/conversations.ts'
import {
  compareBy,
  isBackFor,
  isInTab,
  isQueued,
  type ListOrder,
  type ListTab,
} from '#shared/conversations/list/list-view.ts'
import type { ListFilters } from '#shared/views/list-filters.ts'
import { type ListMoment, meets } from '#shared/views/meets.ts'

/** A part of the open conversations, in an order. Absent: all of them, also those on hold, by start. */
export interface ListView extends ListFilters {
  tab?: ListTab | undefined
  order?: ListOrder
  /** Whose list it is: of 'Minhas', and of what has returned from hold to them. */
  userId?: number
}

/** What a view asks besides the row is met: the list itself, which knows it, asks again. */
const someMoment: ListMoment = { unread: () => 1, nowMs: Infinity }

/** Whether an open conversation is in the view; another page may show it. */
export function isInView(row: Conversation, view: ListView, moment = someMoment): boolean {
  const { tab, userId } = view
  return (tab === undefined || isInTab(row, tab, userId, view.snoozed)) && meets(row, view, moment)
}

export function orderOf({ order = 'start', userId }: ListView): (a: Conversation, b: Conversation) => number {
  const compare = order === 'start' ? listOrder : compareBy[order]
  if (userId === undefined) return compare
  return (a, b) => Number(isBackFor(b, userId)) - Number(isBackFor(a, userId)) || compare(a, b)
}

/** Queued conversations, oldest first; then the others, newest start first. For `Array.prototype.sort`. */
export function listOrder(a: Conversation, b: Conversation): number {
  const aQueued = isQueued(a)
  if (aQueued !== isQueued(b)) return aQueued ? -1 : 1
  const byStart = Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.id - b.id
  return aQueued ? byStart : -byStart
}

/**
 * All open conversations in order, each with its 1-based position in its queue, or 0 outside it, as the
 * server counts. Since the list is complete, no refetch is needed after a conversation has left the queue.
 * Rows with an unchanged position stay the same objects.
 */
export function ranked(rows: Conversation[]): Conversation[] {
  const lengths = new Map<number, number>()
  return rows.map((row) => {
    const queuePosition = isQueued(row) ? (lengths.get(row.queueId) ?? 0) + 1 : 0
    if (queuePosition > 0) lengths.set(row.queueId, queuePosition)
    return row.queuePosition === queuePosition ? row : { ...row, queuePosition }
  })
}
