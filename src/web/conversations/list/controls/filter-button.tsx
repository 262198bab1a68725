import { ListFilter } from 'lucide-react'
import { useRef, useState } from 'react'
import { isFiltered } from '#shared/views/list-filters.ts'
import type { ViewContent } from '#shared/views/views.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useChangeView, ViewDialog } from '#web/views/views.tsx'
import { noFilters } from './list-address.ts'
import type { useListFilter } from './use-list-filter.ts'

const FilterPanel = onDemand(
  async () => (await import('#web/conversations/list/filters/filter-panel.tsx')).FilterPanel,
)

/** 'Filtrar': the filters and the order of the list, and its views. */
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
  const [saving, setSaving] = useState<{ summary: string; content: ViewContent }>()
  const update = useChangeView()
  const isOn = isFiltered(filters)
  const content: ViewContent = { tab: filter.tab, order: filter.order, ...filters }
  const canSave = view ? isChanged : isOn
  const store = (id: number, version: number) =>
    update.mutate(
      { id, version, content },
      {
        onSuccess: () => {
          showView(id)
          toast({ tone: 'success', title: 'Visão mudada' })
        },
        onError: (error) => toast({ tone: 'error', title: `A visão não foi salva: ${reasonOf(error)}` }),
      },
    )
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
          filters={filters}
          tab={filter.tab}
          order={filter.order}
          count={count}
          onChange={change}
          onOrder={(order) => change({ order })}
          onClear={() => change(noFilters)}
          onSave={
            canSave
              ? (summary) => {
                  setOpen(false)
                  setSaving({ summary, content })
                }
              : undefined
          }
          onUpdate={view?.isChangeable && isChanged ? () => store(view.id, view.version) : undefined}
          onClose={() => setOpen(false)}
        />
      )}
      {saving && (
        <ViewDialog view={undefined} {...saving} onSaved={showView} onClose={() => setSaving(undefined)} />
      )}
    </span>
  )
}
