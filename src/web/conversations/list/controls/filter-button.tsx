import { ListFilter } from 'lucide-react'
import { useRef, useState } from 'react'
import { isFiltered } from '#shared/views/list-filters.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { noFilters } from '#web/conversations/list/filters/list-address.ts'
import type { useListFilter } from './use-list-filter.ts'

const FilterPanel = onDemand(
  async () => (await import('#web/conversations/list/filters/filter-panel.tsx')).FilterPanel,
)

/** 'Filtrar': the filters and the order of the list, and the way to keep them as a view. */
export function FilterButton({
  list: { filter, filters, change, view, isChanged, showView },
  count,
  at,
}: {
  list: Pick<
    ReturnType<typeof useListFilter>,
    'filter' | 'filters' | 'change' | 'view' | 'isChanged' | 'showView'
  >
  /** '8 de 18 conversas' */
  count: string
  at: 'icon' | 'button' | 'touch'
}) {
  const place = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isOn = isFiltered(filters)
  const button = {
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onClick: () => setOpen(!isOpen),
  } as const
  return (
    <span ref={place} className="inline-flex flex-none">
      {at === 'button' ? (
        <Button icon={ListFilter} {...button}>
          Filtrar
        </Button>
      ) : (
        <IconButton
          label={isOn ? 'Filtrar: há filtros' : 'Filtrar'}
          icon={ListFilter}
          {...(at === 'icon' && { size: 'sm' as const })}
          className={cn(isOn && 'text-accent-text')}
          {...button}
        />
      )}
      {isOpen && (
        <FilterPanel
          place={place}
          content={{ tab: filter.tab, order: filter.order, ...filters }}
          count={count}
          view={view}
          isChanged={isChanged}
          onChange={change}
          onOrder={(order) => change({ order })}
          onClear={() => change(noFilters)}
          onShow={showView}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
