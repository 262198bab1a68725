import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { useMe } from '#web/users/users.tsx'
import type { ListFilter } from '#web/conversations/cache/queries.ts'
import { keepPlace } from '#web/conversations/cache/list-place.ts'
import { orderChoices, tabOf } from './list-choices.ts'

const defaultLimit = 10
const debounceMs = 300

/**
 * Page, page size, search and tab of the list, kept in the URL so that reload and back restore them, and the
 * order chosen for the tab.
 */
export function useListFilter() {
  const [params, setParams] = useSearchParams()
  const { id: userId } = useMe()
  const tab = tabOf(params.get('tab'))
  const order = orderChoices[tab].use()
  const filter = {
    page: readPage(params.get('page')),
    limit: readLimit(params.get('limit')),
    search: params.get('search') ?? '',
    tab,
    order,
    userId,
  } satisfies ListFilter
  useEffect(() => keepPlace(window.location.search), [params])
  /** Anything but a page begins with the first one. */
  const change = (next: Partial<Pick<typeof filter, 'page' | 'limit' | 'search' | 'tab'>>) => {
    setParams(
      (old) => {
        const merged = { ...filter, page: 1, ...next }
        write(old, 'page', merged.page === 1 ? '' : String(merged.page))
        write(old, 'limit', merged.limit === defaultLimit ? '' : String(merged.limit))
        write(old, 'search', merged.search)
        write(old, 'tab', merged.tab === 'all' ? '' : merged.tab)
        return old
      },
      { replace: next.search !== undefined },
    )
  }
  const [typed, setTyped] = useTyped(filter.search, (search) => change({ search }))
  return { filter, change, typed, setTyped }
}

function write(params: URLSearchParams, name: string, value: string): void {
  if (value === '') params.delete(name)
  else params.set(name, value)
}

function readPage(value: string | null) {
  return value && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1
}

function readLimit(value: string | null): number {
  return activePageSizes.find((size) => String(size) === value) ?? defaultLimit
}

/** Typed text reaches the URL a moment after the last key. */
function useTyped(search: string, onSettled: (search: string) => void) {
  const [typed, setTyped] = useState(search)
  const [seen, setSeen] = useState(search)
  if (seen !== search) {
    // The URL changed by other means: back, or a link.
    setSeen(search)
    if (search !== typed.trim()) setTyped(search)
  }
  useEffect(() => {
    if (typed.trim() === search) return
    const timer = setTimeout(() => onSettled(typed.trim()), debounceMs)
    return () => clearTimeout(timer)
  })
  return [typed, setTyped] as const
}
