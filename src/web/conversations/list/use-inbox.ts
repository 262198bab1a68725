import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import { isInTab, searchedTab } from '#shared/conversations/list/list-view.ts'
import { searchedBy } from '#shared/conversations/list/searched-by.ts'
import type { ListMoment } from '#shared/views/meets.ts'
import { isFiltered, isOfMoment } from '#shared/views/list-filters.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { useWholePhone } from '#web/platform/whole-phone.ts'
import { isInView, orderOf } from '#web/conversations/cache/list-order.ts'
import { conversationQueries, type ListFilter } from '#web/conversations/cache/queries.ts'
import { useListFilter } from '#web/conversations/list/controls/use-list-filter.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const noRows: readonly Conversation[] = []

/**
 * The list of open conversations: what it is filtered by, its page, and the rows that are chosen in it.
 * @param openId the conversation of the chat beside it, which stays among what is unread
 */
export function useInbox(openId?: number) {
  const asked = useListFilter()
  const { filter, filters, change } = asked
  const open = useQuery(conversationQueries.open())
  const unread = useUnread()
  const nowMs = useNow(30_000)
  const moment = useMemo(
    (): ListMoment => ({ unread: (row) => (row.id === openId ? 1 : unread(row)), nowMs }),
    [openId, unread, nowMs],
  )
  const shownList = JSON.stringify(filter)
  // All open conversations are known already, so that another tab, page or order is shown at once.
  const known = useMemo(
    () => (open.data && filter.search === '' ? pageOf(open.data, filter, moment) : undefined),
    // oxlint-disable-next-line exhaustive-deps -- the filter by its values
    [open.data, shownList, moment],
  )
  // What is unread or has waited changes without a change that the list would be fetched for.
  const isOfNow = isOfMoment(filter) && known !== undefined
  const fetched = useQuery({
    ...conversationQueries.list(filter),
    placeholderData: (before: ConversationPage | undefined) => known ?? before,
    enabled: !isOfNow,
    ...(isOfMoment(filter) && { refetchInterval: 30_000 }),
  })
  const list = isOfNow ? { ...fetched, data: known, isPlaceholderData: false } : fetched
  const rows = open.data ?? noRows
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
  const ofTab = useMemo(
    () => rows.filter((row) => isInTab(row, filter.tab, filter.userId, filter.snoozed)).length,
    [rows, filter.tab, filter.userId, filter.snoozed],
  )
  return {
    ...asked,
    list,
    /** All open ones, of all tabs. */
    rows,
    unread,
    moment,
    /** Of those of the tab: '8 de 18 conversas'. */
    count: isFiltered(filters) ? `${list.data?.pagination.totalItems ?? 0} de ${ofTab} conversas` : '',
    steady,
    selection,
    totalPages,
  }
}

/** All rows of the list in their order, over its pages. */
export function useListedRows(): readonly Conversation[] {
  const { filter } = useListFilter()
  const { data } = useQuery(conversationQueries.open())
  const phone = useWholePhone(filter.search)
  const unread = useUnread()
  const nowMs = useNow(30_000)
  const { page: _page, limit: _limit, ...asked } = filter
  const shown = JSON.stringify(asked)
  return useMemo(() => {
    const { tab, search, ...view } = JSON.parse(shown) as typeof asked
    const isSearched = searchedBy(search, phone)
    const moment = { unread, nowMs }
    return (data ?? noRows)
      .filter((row) => isInView(row, { ...view, tab: searchedTab(tab, search) }, moment) && isSearched(row))
      .sort(orderOf(view))
  }, [data, phone, shown, unread, nowMs])
}

/** The page as the server would cut it. */
function pageOf(rows: readonly Conversation[], filter: ListFilter, moment: ListMoment): ConversationPage {
  const { page, limit } = filter
  const all = rows.filter((row) => isInView(row, filter, moment)).sort(orderOf(filter))
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
