import type { Conversation } from '#shared/conversations/conversations.ts'
import { compareBy } from '#shared/conversations/list/list-view.ts'
import type { Operator, PresenceState } from '#shared/users/users.ts'

/** Somebody of the team, with the open conversations that are assigned to them. */
export interface Member {
  operator: Operator
  /** The client who has waited longest for an answer first; last those whose answer the team waits for. */
  conversations: Conversation[]
  /** How many of them wait for an answer. */
  waiting: number
  /** Available, and with as many who wait as they may have: they get none from the queue. */
  isFull: boolean
  /** Since when the first of them waits; null without one. */
  waitingSince: string | null
  /** Whether they wait longer than everybody in the queue, where somebody waits. */
  isBehindQueue: boolean
}

const presenceOrder: readonly PresenceState[] = ['paused', 'online', 'idle', 'away', 'offline']

/**
 * The load of each operator, and of everybody else who has conversations; the longest wait first.
 * @param open all open conversations
 */
export function teamNow(operators: readonly Operator[], open: readonly Conversation[]): Member[] {
  const held = Map.groupBy(open, ({ assignedUserId }) => assignedUserId)
  const firstInQueue = (held.get(null) ?? []).toSorted(compareBy.waiting)[0]?.waitingSince ?? null
  return operators
    .map((operator): Member => {
      const conversations = (held.get(operator.id) ?? []).toSorted(compareBy.waiting)
      const waitingSince = conversations[0]?.waitingSince ?? null
      const waiting = conversations.filter((row) => row.waitingSince !== null).length
      return {
        operator,
        conversations,
        waiting,
        isFull: operator.presence === 'online' && waiting >= operator.capacity,
        waitingSince,
        isBehindQueue:
          waitingSince !== null &&
          firstInQueue !== null &&
          Date.parse(waitingSince) < Date.parse(firstInQueue),
      }
    })
    .filter(({ operator, conversations }) => operator.role === 'operator' || conversations.length > 0)
    .toSorted(
      (a, b) =>
        compare(orderOf(a.waitingSince), orderOf(b.waitingSince)) ||
        presenceOrder.indexOf(a.operator.presence) - presenceOrder.indexOf(b.operator.presence) ||
        a.operator.name.localeCompare(b.operator.name, 'pt-BR'),
    )
}

/**
 * The open conversations whose client has waited longer than some minutes for an answer, of the queue or of
 * somebody; the longest wait first.
 */
export function waitingOver(open: readonly Conversation[], minutes: number, nowMs: number): Conversation[] {
  const since = nowMs - minutes * 60_000
  return open
    .filter(({ waitingSince }) => waitingSince !== null && Date.parse(waitingSince) < since)
    .toSorted(compareBy.waiting)
}

/** Nobody who waits comes last. */
const orderOf = (instant: string | null) => (instant === null ? Infinity : Date.parse(instant))
const compare = (a: number, b: number) => (a === b ? 0 : a - b)
