import { useMemo } from 'react'
import * as z from 'zod/mini'
import { isOfSectorAsked, sectorAsked } from '#shared/sectors/sector-asked.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { isInSector } from './distribution.ts'
import { type PartOfTeam, TeamNow } from './team-now.tsx'

const filterFields = { sectorId: z.optional(sectorAsked) }

/** The team of the sector that is chosen, kept in the URL; or all of it. */
export function SectorTeam({ className }: { className: string }) {
  const { living: sectors } = useSectors()
  const { filter, change } = useUrlFilter(filterFields)
  const { sectorId } = filter
  const of = useMemo(
    (): PartOfTeam => ({
      hasRow: (row) => isOfSectorAsked(row.sectorId, sectorId),
      hasPerson: (userId) => typeof sectorId !== 'number' || isInSector(sectors, sectorId, userId),
      sectors,
    }),
    [sectors, sectorId],
  )
  const choices = [
    ...sectors.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: 'none', label: 'Sem setor' },
  ]
  const shown = choices.find(({ value }) => value === String(sectorId))?.label
  const chip = (
    <ChoiceChip
      label="Setor"
      shown={sectorId === undefined ? undefined : (shown ?? `Setor ${sectorId}`)}
      value={sectorId === undefined ? '' : String(sectorId)}
      options={choices}
      searchPlaceholder="Buscar setor..."
      nothingFound="Nenhum setor corresponde à busca"
      anything="Qualquer setor"
      onChoose={(value) => change({ sectorId: value === 'none' ? value : Number(value) })}
      onClear={() => change({ sectorId: undefined })}
    />
  )
  return <TeamNow className={className} of={of} chip={chip} />
}
