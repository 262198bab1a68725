import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { pageIn } from '#web/platform/page-number.ts'

const usualDebounceMs = 300

export interface PageFilter {
  /** 1-based. */
  page: number
  limit: number
  search: string
}

/**
 * Page, page size and search of a list, kept in the URL so that reload and back restore them. Anything but a
 * page begins with the first one, and a typed search reaches the URL a moment after the last key.
 * @param sizes the page sizes that can be chosen
 * @param debounceMs how long after the last key
 */
export function usePageFilter(
  sizes: readonly number[],
  { usualLimit = 10, debounceMs = usualDebounceMs } = {},
) {
  const [params, setParams] = useSearchParams()
  const filter: PageFilter = {
    page: pageIn(params.get('page')),
    limit: sizes.find((size) => String(size) === params.get('limit')) ?? usualLimit,
    search: params.get('search') ?? '',
  }
  const change = (next: Partial<PageFilter>) =>
    setParams(
      (old) => {
        const { page, limit, search } = { ...filter, page: 1, ...next }
        writeParam(old, 'page', page === 1 ? '' : String(page))
        writeParam(old, 'limit', limit === usualLimit ? '' : String(limit))
        writeParam(old, 'search', search)
        return old
      },
      { replace: next.search !== undefined },
    )
  const [typed, setTyped] = useTypedSearch(filter.search, (search) => change({ search }), debounceMs)
  return { filter, change, typed, setTyped }
}

/** Leads back to the last page when the one that is asked for is beyond it. */
export function useLastPage(page: number, last: number | undefined, goTo: (page: number) => void): void {
  useEffect(() => {
    if (last !== undefined && page > Math.max(1, last)) goTo(Math.max(1, last))
  })
}

/** Typed text reaches the URL a moment after the last key. */
export function useTypedSearch(
  search: string,
  onSettled: (search: string) => void,
  debounceMs = usualDebounceMs,
) {
  const [typed, setTyped] = useState(search)
  const [seen, setSeen] = useState(search)
  if (seen !== search) {
    // The URL changed by other means: back, or a link.
    setSeen(search)
    if (search !== typed.trim()) setTyped(search)
  }
  const settle = useEffectEvent(onSettled)
  const wanted = typed.trim()
  // Only another text starts the wait anew: a busy screen is drawn more often than the wait is long.
  useEffect(() => {
    if (wanted === search) return
    const timer = setTimeout(() => settle(wanted), debounceMs)
    return () => clearTimeout(timer)
  }, [wanted, search, debounceMs])
  return [typed, setTyped] as const
}

/** Sets a parameter of the URL, or removes it with ''. */
export function writeParam(params: URLSearchParams, name: string, value: string): void {
  if (value === '') params.delete(name)
  else params.set(name, value)
}

/** The rows of a page, of a list that is known whole; a page beyond the end is the last one. */
export function pageOf<Row>(rows: readonly Row[], { page, limit }: Pick<PageFilter, 'page' | 'limit'>) {
  const totalPages = Math.max(1, Math.ceil(rows.length / limit))
  const shownPage = Math.min(page, totalPages)
  const first = (shownPage - 1) * limit
  return { rows: rows.slice(first, first + limit), first, page: shownPage, totalPages, total: rows.length }
}
