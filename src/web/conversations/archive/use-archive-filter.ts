import { useSearchParams } from 'wouter'
import {
  archiveFilterFields,
  archiveOrders,
  archivePageSizes,
  type ArchiveOrder,
} from '#shared/conversations/archive.ts'
import { usePageFilter, writeParam } from '#web/platform/browser/use-page-filter.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'

/** @see specification §5 'Archive search debounced 500 ms' */
const debounceMs = 500

/** Page, search, order and filters of the archive, kept in the URL. */
export function useArchiveFilter() {
  const page = usePageFilter(archivePageSizes, { debounceMs })
  const url = useUrlFilter(archiveFilterFields)
  const [params, setParams] = useSearchParams()
  const order = archiveOrders.find((one) => one === params.get('ordem')) ?? 'recent'
  const setOrder = (next: ArchiveOrder) =>
    setParams((old) => {
      writeParam(old, 'page', '')
      writeParam(old, 'ordem', next === 'recent' ? '' : next)
      return old
    })
  const clear = () => {
    page.setTyped('')
    setParams((old) => {
      for (const name of ['page', 'search', ...Object.keys(archiveFilterFields)]) writeParam(old, name, '')
      return old
    })
  }
  return {
    ...page,
    order,
    setOrder,
    clear,
    filter: { ...page.filter, order, ...url.filter },
    narrow: url.change,
    isFiltered: url.isFiltered || page.filter.search !== '',
  }
}
