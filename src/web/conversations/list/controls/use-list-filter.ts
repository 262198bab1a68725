import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { type ListOrder, listOrders } from '#shared/conversations/list/list-view.ts'
import type { ListFilters } from '#shared/views/list-filters.ts'
import type { SavedView } from '#shared/views/views.ts'
import { useTypedSearch, writeParam } from '#web/platform/browser/use-page-filter.ts'
import { pageIn } from '#web/platform/page-number.ts'
import { useMe } from '#web/users/users.tsx'
import { viewQueries } from '#web/views/views.tsx'
import { useOfferedNumber } from '#web/conversations/numbers/number-filter.ts'
import type { ListFilter } from '#web/conversations/cache/queries.ts'
import type { ListTab } from '#shared/conversations/list/list-view.ts'
import { usePlace } from '#web/conversations/cache/list-place.ts'
import { storePlace, useRestoredPlace } from './kept-place.ts'
import { filtersIn, filtersOf, isFilter, writeFilters } from '#web/conversations/list/filters/list-address.ts'
import { orderChoices, tabOf } from './list-choices.ts'

const defaultLimit = 10

/** What of the list is asked to be another. */
export type ListChange = Partial<Pick<ListFilter, 'page' | 'limit' | 'search' | 'order'>> &
  ListFilters & { tab?: ListTab }

/**
 * Page, page size, search, tab and filters of the list, and the order chosen for the tab; or the saved view
 * that is shown. They are kept in the URL, so that reload and back restore them; beside a chat, whose URL is
 * its own, they stay as the list was left in this browser tab.
 *
 * Of a view the URL has its id alone, so what a colleague changes in it is shown; once the person has asked
 * for something else, the URL has all of it.
 */
export function useListFilter() {
  const { id: userId, hasSectors } = useMe()
  const [params, setParams] = useListParams(userId)
  const viewId = idIn(params, viewParam)
  const view = useSavedView(viewId)
  const isChanged = viewId !== undefined && params.get(changedParam) !== null
  const content = isChanged ? undefined : view?.content
  const tab = content?.tab ?? tabOf(params.get('tab'))
  const usualOrder = orderChoices[tab].use()
  const order = content?.order ?? (isChanged ? orderIn(params) : undefined) ?? usualOrder
  const read = filtersIn(params)
  const instanceId = useOfferedNumber(read.instanceId)
  const sectorId = hasSectors ? read.sectorId : undefined
  const filters = content ? filtersOf(content) : filtersOf({ ...read, instanceId, sectorId })
  const filter = {
    page: pageIn(params.get('page')),
    limit: readLimit(params.get('limit')),
    search: params.get('search') ?? '',
    tab,
    order,
    userId,
    ...filters,
  } satisfies ListFilter
  /** Anything but a page begins with the first one. */
  const change = (next: ListChange) => {
    const isOther = Object.keys(next).some((name) => name === 'order' || isFilter(name))
    if (viewId === undefined && next.order !== undefined) orderChoices[next.tab ?? tab].set(next.order)
    setParams(
      (old) => {
        const merged = { ...filter, page: 1, ...next }
        writePage(old, merged)
        // Another tab is no part of the view, nor are its filters of that tab.
        if (viewId !== undefined && next.tab !== undefined) return leaveView(old, next.tab)
        if (viewId !== undefined && !isOther && !isChanged) return old
        writeParam(old, 'tab', merged.tab === 'all' ? '' : merged.tab)
        writeFilters(old, merged)
        if (viewId === undefined) return old
        writeParam(old, changedParam, '1')
        writeParam(old, orderParam, merged.order)
        return old
      },
      { replace: next.search !== undefined },
    )
  }
  const showView = (id: number) =>
    setParams(
      (old) => {
        writePage(old, { ...filter, page: 1, search: '' })
        leaveView(old, 'all')
        writeParam(old, viewParam, String(id))
        return old
      },
      { replace: false },
    )
  const [typed, setTyped] = useTypedSearch(filter.search, (search) => change({ search }))
  return { filter, filters, change, typed, setTyped, viewId, view, isChanged, showView }
}

const viewParam = 'visao'
const changedParam = 'mudada'
const orderParam = 'ordem'

/** The saved view; undefined: none, or not known yet. */
function useSavedView(viewId: number | undefined): SavedView | undefined {
  const { data } = useQuery({ ...viewQueries.seen(), enabled: viewId !== undefined })
  return data?.find(({ id }) => id === viewId)
}

function leaveView(params: URLSearchParams, tab: ListTab): URLSearchParams {
  for (const name of [viewParam, changedParam, orderParam]) writeParam(params, name, '')
  writeParam(params, 'tab', tab === 'all' ? '' : tab)
  writeFilters(params, {})
  return params
}

function writePage(params: URLSearchParams, { page, limit, search }: ListFilter): void {
  writeParam(params, 'page', page === 1 ? '' : String(page))
  writeParam(params, 'limit', limit === defaultLimit ? '' : String(limit))
  writeParam(params, 'search', search)
}

const orderIn = (params: URLSearchParams): ListOrder | undefined =>
  listOrders.find((order) => order === params.get(orderParam))

function idIn(params: URLSearchParams, name: string): number | undefined {
  const asked = params.get(name)
  return asked !== null && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined
}

type Change = (params: URLSearchParams) => URLSearchParams

function useListParams(
  userId: number,
): [URLSearchParams, (change: Change, options: { replace: boolean }) => void] {
  const [path] = useLocation()
  const isBesideChat = path === '/chat'
  const [urlParams, setUrlParams] = useSearchParams()
  useRestoredPlace(userId)
  const place = usePlace()
  const kept = useMemo(() => new URLSearchParams(place), [place])
  useEffect(() => {
    if (!isBesideChat) storePlace(userId, window.location.search)
  }, [urlParams, isBesideChat, userId])
  if (!isBesideChat) return [urlParams, setUrlParams]
  const change = (next: Change) => {
    const search = next(new URLSearchParams(place)).toString()
    storePlace(userId, search && `?${search}`)
  }
  return [kept, change]
}

function readLimit(value: string | null): number {
  return activePageSizes.find((size) => String(size) === value) ?? defaultLimit
}
