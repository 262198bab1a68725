import { useEffect, useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { type SectorAsked, sectorAsked } from '#shared/sectors/sector-asked.ts'
import { useTypedSearch, writeParam } from '#web/platform/browser/use-page-filter.ts'
import { pageIn } from '#web/platform/page-number.ts'
import { useMe } from '#web/users/users.tsx'
import { numberIn, numberParam, useOfferedNumber } from '#web/conversations/numbers/number-filter.ts'
import type { ListFilter } from '#web/conversations/cache/queries.ts'
import type { ListTab } from '#shared/conversations/list/list-view.ts'
import { usePlace } from '#web/conversations/cache/list-place.ts'
import { storePlace, useRestoredPlace } from './kept-place.ts'
import { orderChoices, tabOf } from './list-choices.ts'

const defaultLimit = 10

/**
 * Page, page size, search and tab of the list, and the order chosen for the tab. They are kept in the URL, so
 * that reload and back restore them; beside a chat, whose URL is its own, they stay as the list was left in
 * this browser tab.
 */
export function useListFilter() {
  const { id: userId, hasSectors } = useMe()
  const [params, setParams] = useListParams(userId)
  const tab = tabOf(params.get('tab'))
  const order = orderChoices[tab].use()
  const instanceId = useOfferedNumber(numberIn(params))
  const sectorId = hasSectors ? sectorIn(params) : undefined
  const filter = {
    page: pageIn(params.get('page')),
    limit: readLimit(params.get('limit')),
    search: params.get('search') ?? '',
    tab,
    order,
    userId,
    ...(instanceId !== undefined && { instanceId }),
    ...(sectorId !== undefined && { sectorId }),
  } satisfies ListFilter
  /** Anything but a page begins with the first one. */
  const change = (
    next: Partial<Pick<ListFilter, 'page' | 'limit' | 'search' | 'instanceId' | 'sectorId'>> & {
      tab?: ListTab
    },
  ) => {
    setParams(
      (old) => {
        const merged = { ...filter, instanceId, sectorId, page: 1, ...next }
        writeParam(old, 'page', merged.page === 1 ? '' : String(merged.page))
        writeParam(old, 'limit', merged.limit === defaultLimit ? '' : String(merged.limit))
        writeParam(old, 'search', merged.search)
        writeParam(old, 'tab', merged.tab === 'all' ? '' : merged.tab)
        writeParam(old, numberParam, String(merged.instanceId ?? ''))
        writeParam(old, sectorParam, String(merged.sectorId ?? ''))
        return old
      },
      { replace: next.search !== undefined },
    )
  }
  const [typed, setTyped] = useTypedSearch(filter.search, (search) => change({ search }))
  return { filter, change, typed, setTyped }
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

const sectorParam = 'setor'

/** The sector to filter by, as in the URL. */
function sectorIn(params: URLSearchParams): SectorAsked | undefined {
  const asked = sectorAsked.safeParse(params.get(sectorParam))
  return asked.success ? asked.data : undefined
}

function readLimit(value: string | null): number {
  return activePageSizes.find((size) => String(size) === value) ?? defaultLimit
}
