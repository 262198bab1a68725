import { X } from 'lucide-react'
import type { ListFilters } from '#shared/views/list-filters.ts'
import { cn } from '#web/ui/cn.ts'
import { useFilterKinds } from './use-filter-kinds.ts'

const chipLook = [
  'inline-flex h-6 max-w-44 min-w-0 items-center gap-1 rounded-full border pr-1 pl-2.5 text-xs font-medium',
  'max-md:h-9',
].join(' ')

const clearLook = [
  'ml-auto h-6 flex-none rounded-control px-1.5 text-xs font-medium text-accent-text hover:bg-hover',
  'max-md:h-9',
].join(' ')

/** What the list is filtered by, each with the way to take it away. */
export function FilterChips({
  filters,
  onChange,
  onClear,
  className,
}: {
  filters: ListFilters
  onChange: (next: ListFilters) => void
  onClear: () => void
  className: string
}) {
  const chosen = useFilterKinds(filters).filter(({ shown }) => shown !== undefined)
  if (chosen.length === 0) return null
  return (
    <div
      role="group"
      aria-label="Filtros da lista"
      className={cn('flex flex-wrap items-center gap-1.5', className)}
    >
      {chosen.map(({ kind, title, shown, isGone, toFilter }) => (
        <span
          key={kind}
          title={isGone ? `${title}: ${shown}. Tire este filtro.` : `${title}: ${shown}`}
          className={cn(
            chipLook,
            isGone
              ? 'border-amber-line bg-amber-soft text-amber-text'
              : 'border-accent-line bg-accent-soft text-accent-text',
          )}
        >
          <span className="sr-only">{title}: </span>
          <span className="min-w-0 truncate" dir="auto">
            {shown}
          </span>
          <button
            type="button"
            aria-label={`Tirar o filtro: ${title}`}
            onClick={() => onChange(toFilter(undefined))}
            className="target grid size-5 flex-none place-items-center rounded-full hover:bg-hover"
          >
            <X aria-hidden size={12} />
          </button>
        </span>
      ))}
      <button type="button" onClick={onClear} className={clearLook}>
        Limpar
      </button>
    </div>
  )
}
