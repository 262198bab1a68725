import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { useTypedSearch, writeParam } from '#web/platform/browser/use-page-filter.ts'
import { pageIn } from '#web/platform/page-number.ts'
import { useMe } from '#web/users/users.tsx'
import { numberIn, numberParam, useOfferedNumber } from '#web/conversations/numbers/number-filter.ts'
import type { ListFilter } from '#web/conversations/cache/queries.ts'
import type { ListTab } from '#shared/conversations/list-view.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { orderChoices, tabOf } from './list-choices.ts'

const defaultLimit = 10

/**
 * Page, page size, search and tab of the list, kept in the URL so that reload and back restore them, and the
 * order chosen for the tab.
 */
export function useListFilter() {
  const [params, setParams] = useSearchParams()
  const { id: userId } = useMe()
  const tab = tabOf(params.get('tab'))
  const order = orderChoices[tab].use()
  const instanceId = useOfferedNumber(numberIn(params))
  const filter = {
    page: pageIn(params.get('page')),
    limit: readLimit(params.get('limit')),
    search: params.get('search') ?? '',
    tab,
    order,
    userId,
    ...(instanceId !== undefined && { instanceId }),
  } satisfies ListFilter
  useEffect(() => keepPlace(window.location.search), [params])
  /** Anything but a page begins with the first one. */
  const change = (
    next: Partial<Pick<ListFilter, 'page' | 'limit' | 'search' | 'instanceId'>> & { tab?: ListTab },
  ) => {
    setParams(
      (old) => {
        const merged = { ...filter, instanceId, page: 1, ...next }
        writeParam(old, 'page', merged.page === 1 ? '' : String(merged.page))
        writeParam(old, 'limit', merged.limit === defaultLimit ? '' : String(merged.limit))
        writeParam(old, 'search', merged.search)
        writeParam(old, 'tab', merged.tab === 'all' ? '' : merged.tab)
        writeParam(old, numberParam, String(merged.instanceId ?? ''))
        return old
      },
      { replace: next.search !== undefined },
    )
  }
  const [typed, setTyped] = useTypedSearch(filter.search, (search) => change({ search }))
  return { filter, change, typed, setTyped }
}

function readLimit(value: string | null): number {
  return activePageSizes.find((size) => String(size) === value) ?? defaultLimit
}
