import { useQuery } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ListOrder, ListTab } from '#shared/conversations/list/list-view.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'

/** Whether any open conversation has a target: without, nothing of them is offered. */
export const useHasSla = (): boolean =>
  useQuery({ ...conversationQueries.open(), select: hasAny }).data ?? false

const hasAny = (rows: readonly Conversation[]) => rows.some(({ sla }) => sla !== undefined)

/** Of the options those that a tab offers, and the one that it has. */
export function useOrders<Option extends { value: ListOrder }>(
  options: readonly Option[],
  tab: ListTab,
  order: ListOrder,
): Option[] {
  const hasSla = useHasSla()
  const isSnoozed = tab === 'snoozed'
  // By return only what is on hold, whose clients do not wait, and whose clocks rest.
  const others = {
    start: true,
    activity: true,
    waiting: !isSnoozed,
    return: isSnoozed,
    sla: hasSla && !isSnoozed,
  }
  return options.filter(({ value }) => value === order || others[value])
}
