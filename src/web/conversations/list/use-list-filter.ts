import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import type { ListFilter } from '#web/conversations/cache/queries.ts'

const defaultLimit = 10
const debounceMs = 300

/** Page, page size and search of the list, kept in the URL so that reload and back restore them. */
export function useListFilter() {
  const [params, setParams] = useSearchParams()
  const filter: ListFilter = {
    page: readPage(params.get('page')),
    limit: readLimit(params.get('limit')),
    search: params.get('search') ?? '',
  }
  const change = (next: Partial<ListFilter>) => {
    setParams(
      (old) => {
        const merged = { ...filter, page: 1, ...next }
        write(old, 'page', merged.page === 1 ? '' : String(merged.page))
        write(old, 'limit', merged.limit === defaultLimit ? '' : String(merged.limit))
        write(old, 'search', merged.search)
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
