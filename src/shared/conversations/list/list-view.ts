import type { ListFilters } from '#shared/views/list-filters.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'

/**
 * 'Todas', 'Minhas' and 'Fila', which leave out what is on hold; 'Em espera'; and what the dashboard counts
 * and leads to: 'Aguardando', with nobody yet,
 * whoever is to write next, and 'Em andamento'.
 */
export const listTabs = ['all', 'mine', 'queue', 'snoozed', 'waiting', 'going'] as const
export type ListTab = (typeof listTabs)[number]

/**
 * By start as the specification has it, by who waits longest, by the last message, by the return, by the
 * clock that runs out first.
 */
export const listOrders = ['start', 'waiting', 'activity', 'return', 'sla'] as const
export type ListOrder = (typeof listOrders)[number]

/**
 * Whether a conversation waits in the FILA for an operator: since the contact began it, or since it was given
 * back, whoever began it.
 * @see specification §4 Queue
 */
export function isQueued(row: Conversation): boolean {
  return row.subStatus === 'FILA' && row.waitingFor === 'operator' && row.status !== 'completed'
}

/** Whether a conversation is on hold, as it is answered or as it is stored. */
export const isSnoozed = (row: { snoozedUntil?: string | Date | null | undefined }): boolean =>
  (row.snoozedUntil ?? undefined) !== undefined

/** The tab that a search looks through: among all also what is on hold, which is undefined. */
export const searchedTab = (tab: ListTab, search: string): ListTab | undefined =>
  tab === 'all' && search.trim() !== '' ? undefined : tab

/**
 * Whether an open conversation belongs to a tab of this person.
 * @param snoozed given: a filter decides about what is on hold, and not the tab
 */
export function isInTab(
  row: Conversation,
  tab: ListTab,
  userId: number | undefined,
  snoozed?: ListFilters['snoozed'],
): boolean {
  const isShown = snoozed !== undefined || !isSnoozed(row)
  switch (tab) {
    case 'all':
      return isShown
    case 'mine':
      return row.assignedUserId === userId && isShown
    case 'queue':
      return isQueued(row)
    case 'snoozed':
      return isSnoozed(row)
    case 'waiting':
      return row.status !== 'completed' && row.subStatus === 'FILA' && isShown
    case 'going':
      return row.status !== 'completed' && row.subStatus !== 'FILA' && isShown
  }
}

/**
 * The orders besides the one by start, which are total. `waiting`: clients who wait, longest first; then the
 * others as in `activity`. `activity`: the latest first. `return`: what returns from hold first. `sla`: the
 * clock that runs out first, or has; then what has none as in `waiting`.
 */
export const compareBy: Record<Exclude<ListOrder, 'start'>, (a: Conversation, b: Conversation) => number> = {
  waiting: byWait,
  activity: byActivity,
  return: (a, b) => byInstant(a, b, a.snoozedUntil, b.snoozedUntil, byActivity),
  sla: (a, b) => byInstant(a, b, a.sla?.dueAt, b.sla?.dueAt, byWait),
}

/**
 * Whether a conversation has returned from hold to this person, who has not opened it since. In every order
 * of theirs it comes first; for others it is like any other one.
 */
export const isBackFor = (row: Conversation, userId: number | undefined): boolean =>
  row.returnedAt !== undefined && row.assignedUserId === userId

function byWait(a: Conversation, b: Conversation): number {
  return byInstant(a, b, a.waitingSince ?? undefined, b.waitingSince ?? undefined, byActivity)
}

/** The earlier one first; then those without, in another order. */
function byInstant(
  a: Conversation,
  b: Conversation,
  first: string | undefined,
  second: string | undefined,
  without: (a: Conversation, b: Conversation) => number,
): number {
  if (first !== undefined && second !== undefined) return compareInstants(first, second) || a.id - b.id
  return first === second ? without(a, b) : first === undefined ? 1 : -1
}

function byActivity(a: Conversation, b: Conversation): number {
  return compareInstants(b.lastActivityAt, a.lastActivityAt) || b.id - a.id
}

/** All instants have the same form, in UTC, so that their texts compare like the times. */
function compareInstants(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
