import type { FilterPlace } from '#web/ui/filters/filter-control.tsx'
import type { ListView } from '#web/conversations/cache/list-order.ts'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { useSectorParts } from '#web/conversations/rows/use-sector-parts.ts'

export type ListFilterValues = Pick<ListView, 'instanceId' | 'sectorId'>

/** The filters of the list besides its tabs, each where there is something to choose from. */
export function ListFilters({
  at,
  filter: { instanceId, sectorId },
  onChange,
}: {
  at: FilterPlace
  filter: ListFilterValues
  onChange: (next: ListFilterValues) => void
}) {
  const numbers = useNumberParts()
  const sectors = useSectorParts()
  return (
    <>
      {numbers && (
        <numbers.NumberFilter
          at={at}
          instanceId={instanceId}
          onChange={(chosen) => onChange({ instanceId: chosen })}
        />
      )}
      {sectors && (
        <sectors.SectorFilter
          at={at}
          sectorId={sectorId}
          onChange={(chosen) => onChange({ sectorId: chosen })}
        />
      )}
    </>
  )
}
