import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import { searchedTab } from '#shared/conversations/list/list-view.ts'
import { searchedBy } from '#shared/conversations/list/searched-by.ts'
import { useWholePhone } from '#web/platform/whole-phone.ts'
import { isInView, orderOf } from '#web/conversations/cache/list-order.ts'
import { conversationQueries, type ListFilter } from '#web/conversations/cache/queries.ts'
import { useListFilter } from '#web/conversations/list/controls/use-list-filter.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const noRows: readonly Conversation[] = []

/** The list of open conversations: what it is filtered by, its page, and the rows that are chosen in it. */
export function useInbox() {
  const { filter, change, typed, setTyped } = useListFilter()
  const open = useQuery(conversationQueries.open())
  // All open conversations are known already, so that another tab, page or order is shown at once.
  const placeholderData = (before: ConversationPage | undefined) =>
    open.data && filter.search === '' ? pageOf(open.data, filter) : before
  const list = useQuery({ ...conversationQueries.list(filter), placeholderData })
  const unread = useUnread()
  const { instanceId, sectorId } = filter
  const rows = useMemo(
    () => (open.data ?? noRows).filter((row) => isInView(row, { instanceId, sectorId })),
    [open.data, instanceId, sectorId],
  )
  const shownList = JSON.stringify(filter)
  // Rows of the search before, shown until the answer comes, are no order to keep.
  const areOfBefore = list.isPlaceholderData && filter.search !== ''
  const steady = useSteadyRows(list.data?.conversations ?? noRows, areOfBefore ? 'before' : shownList)
  const selection = useSelection(steady.shown, shownList)
  const totalPages = list.data?.pagination.totalPages ?? 1
  useEffect(() => {
    // The last page became empty.
    if (list.data && !list.isPlaceholderData && filter.page > Math.max(1, totalPages))
      change({ page: Math.max(1, totalPages) })
  })
  return {
    filter,
    change,
    typed,
    setTyped,
    list,
    /** All open ones, of all tabs. */
    rows,
    unread,
    steady,
    selection,
    totalPages,
  }
}

/** All rows of the list in their order, over its pages. */
export function useListedRows(): readonly Conversation[] {
  const { search, tab, order, userId, instanceId, sectorId }: ListFilter = useListFilter().filter
  const { data } = useQuery(conversationQueries.open())
  const phone = useWholePhone(search)
  return useMemo(() => {
    const view = { tab: searchedTab(tab, search), order, userId, instanceId, sectorId }
    const isSearched = searchedBy(search, phone)
    return (data ?? noRows).filter((row) => isInView(row, view) && isSearched(row)).sort(orderOf(view))
  }, [data, search, phone, tab, order, userId, instanceId, sectorId])
}

/** The page as the server would cut it. */
function pageOf(rows: readonly Conversation[], filter: ListFilter): ConversationPage {
  const { page, limit } = filter
  const all = rows.filter((row) => isInView(row, filter)).sort(orderOf(filter))
  const totalPages = Math.max(1, Math.ceil(all.length / limit))
  return {
    conversations: all.slice((page - 1) * limit, page * limit),
    pagination: {
      currentPage: page,
      itemsPerPage: limit,
      totalItems: all.length,
      totalPages,
      hasNextPage: page < totalPages,
    },
  }
}

/** 'X-Y de N conversas' */
export function rangeText({ conversations, pagination }: ConversationPage): string {
  if (conversations.length === 0) return 'Nenhuma conversa encontrada'
  const first = (pagination.currentPage - 1) * pagination.itemsPerPage + 1
  return `${first}-${first + conversations.length - 1} de ${pagination.totalItems} conversas`
}
