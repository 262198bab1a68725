import type { Conversation } from './conversations.ts'

/**
 * 'Todas', 'Minhas' and 'Fila'; and what the dashboard counts and leads to: 'Aguardando', with nobody yet,
 * whoever is to write next, and 'Em andamento'.
 */
export const listTabs = ['all', 'mine', 'queue', 'waiting', 'going'] as const
export type ListTab = (typeof listTabs)[number]

/** By start as the specification has it, by who waits longest, by the last message. */
export const listOrders = ['start', 'waiting', 'activity'] as const
export type ListOrder = (typeof listOrders)[number]

/**
 * Whether a conversation waits in the FILA for an operator: since the contact began it, or since it was given
 * back, whoever began it.
 * @see specification §4 Queue
 */
export function isQueued(row: Conversation): boolean {
  return row.subStatus === 'FILA' && row.waitingFor === 'operator' && row.status !== 'completed'
}

/** Whether an open conversation belongs to a tab of this person. */
export function isInTab(row: Conversation, tab: ListTab, userId: number | undefined): boolean {
  switch (tab) {
    case 'all':
      return true
    case 'mine':
      return row.assignedUserId === userId
    case 'queue':
      return isQueued(row)
    case 'waiting':
      return row.status !== 'completed' && row.subStatus === 'FILA'
    case 'going':
      return row.status !== 'completed' && row.subStatus !== 'FILA'
  }
}

/**
 * The orders besides the one by start, which are total. `waiting`: clients who wait, longest first; then the
 * others as in `activity`. `activity`: the latest first.
 */
export const compareBy: Record<Exclude<ListOrder, 'start'>, (a: Conversation, b: Conversation) => number> = {
  waiting: (a, b) => {
    if (a.waitingSince === null || b.waitingSince === null)
      return a.waitingSince === b.waitingSince ? byActivity(a, b) : a.waitingSince === null ? 1 : -1
    return compareInstants(a.waitingSince, b.waitingSince) || a.id - b.id
  },
  activity: byActivity,
}

function byActivity(a: Conversation, b: Conversation): number {
  return compareInstants(b.lastActivityAt, a.lastActivityAt) || b.id - a.id
}

/** All instants have the same form, in UTC, so that their texts compare like the times. */
function compareInstants(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
