import { Layers } from 'lucide-react'
import type { SectorAsked } from '#shared/sectors/sector-asked.ts'
import { FilterControl, type FilterPlace } from '#web/ui/filters/filter-control.tsx'
import { SectorDot } from './sector-dot.tsx'
import { useSectors } from './use-sectors.ts'

/** Filters the list by sector, where there are any. */
export function SectorFilter({
  at,
  sectorId,
  onChange,
}: {
  at: FilterPlace
  /** undefined: all of them. */
  sectorId: SectorAsked | undefined
  onChange: (sectorId: SectorAsked | undefined) => void
}) {
  const { living, areAny, find } = useSectors()
  if (!areAny) return null
  // One that was deleted since is named as long as the list is filtered by it.
  const gone = typeof sectorId === 'number' && !living.some(({ id }) => id === sectorId)
  const named = gone
    ? [...living, find(sectorId) ?? { id: sectorId, name: 'setor excluído', color: null }]
    : living
  const filter = {
    title: 'Setor',
    icon: Layers,
    options: [
      ...named.map(({ id, name, color }) => ({
        value: String(id),
        name,
        mark: <SectorDot color={color} />,
      })),
      { value: 'none', name: 'Sem setor', strip: 'Só sem setor', mark: <SectorDot color={null} /> },
    ],
    value: sectorId === undefined ? undefined : String(sectorId),
    onChange: (value: string | undefined) =>
      onChange(value === undefined || value === 'none' ? value : Number(value)),
  }
  return <FilterControl at={at} filter={filter} />
}
