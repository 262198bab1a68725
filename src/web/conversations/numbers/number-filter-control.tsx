import { Smartphone } from 'lucide-react'
import { FilterControl, type FilterPlace } from '#web/ui/filters/filter-control.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

/** Filters the list by number, where the person has several. */
export function NumberFilter({
  at,
  instanceId,
  onChange,
}: {
  at: FilterPlace
  /** Only the conversations of this number; undefined: of all. */
  instanceId: number | undefined
  onChange: (instanceId: number | undefined) => void
}) {
  const { living } = useNumbers()
  if (living.length < 2) return null
  const filter = {
    title: 'Número',
    icon: Smartphone,
    options: living.map(({ id, name }) => ({ value: String(id), name })),
    value: instanceId === undefined ? undefined : String(instanceId),
    onChange: (value: string | undefined) => onChange(value === undefined ? undefined : Number(value)),
  }
  return <FilterControl at={at} filter={filter} />
}
