import { useSearchParams } from 'wouter'
import { usePageFilter, writeParam } from '#web/platform/browser/use-page-filter.ts'
import type { ContactFilter } from '#web/contacts/queries.ts'

/** @see specification §9 Page sizes */
export const pageSizes = [5, 10, 20, 30, 50]
/** @see specification §5 'Contacts search debounced 500 ms' */
const debounceMs = 500

/** Page, search, category and tag of the list, kept in the URL. Another filter begins with the first page. */
export function useContactFilter() {
  const { filter, change, typed, setTyped } = usePageFilter(pageSizes, { debounceMs })
  const [params, setParams] = useSearchParams()
  const whole: ContactFilter = {
    ...filter,
    category: params.get('category') ?? '',
    tag: params.get('tag') ?? '',
  }
  const narrow = (next: Partial<Pick<ContactFilter, 'category' | 'tag'>>) =>
    setParams((old) => {
      writeParam(old, 'page', '')
      for (const [name, value] of Object.entries(next)) writeParam(old, name, value)
      return old
    })
  const clear = () => {
    setTyped('')
    setParams((old) => {
      for (const name of ['page', 'search', 'category', 'tag']) writeParam(old, name, '')
      return old
    })
  }
  const isFiltered = whole.search !== '' || whole.category !== '' || whole.tag !== ''
  return { filter: whole, change, narrow, clear, isFiltered, typed, setTyped }
}
