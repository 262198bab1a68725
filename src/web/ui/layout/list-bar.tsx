import type { ReactNode } from 'react'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { PageSize } from './page-size.tsx'

/** Above a list in pages: the search, further filters, what is shown of how many, and the page size. */
export function ListBar({
  typed,
  onType,
  placeholder,
  range,
  sizes,
  limit,
  onLimit,
  children,
}: {
  typed: string
  onType: (typed: string) => void
  placeholder: string
  /** '1-10 de 42 contato(s)' */
  range?: ReactNode
  sizes: readonly number[]
  limit: number
  onLimit: (limit: number) => void
  /** Further filters. */
  children?: ReactNode
}) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        className="flex-1 max-md:basis-full md:max-w-[340px]"
        value={typed}
        onChange={onType}
        placeholder={placeholder}
      />
      {children}
      <p
        aria-live="polite"
        className="text-sm text-ink-2 tabular-nums max-md:min-w-[55%] max-md:flex-1 md:ml-auto"
      >
        {range}
      </p>
      <PageSize sizes={sizes} limit={limit} onLimit={onLimit} />
    </div>
  )
}
