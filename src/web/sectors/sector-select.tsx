import type { Sector } from '#shared/sectors/sectors.ts'
import { Select } from '#web/ui/fields/select.tsx'
import { SectorDot } from './sector-dot.tsx'

/** A select has no empty value. */
const none = 'none'

/** A choice of one of these sectors, or none. One that is chosen is offered whatever it is. */
export function SectorSelect({
  sectors,
  chosen,
  noneLabel,
  onChoose,
  ...control
}: {
  sectors: readonly Pick<Sector, 'id' | 'name' | 'color' | 'isActive'>[]
  chosen: Pick<Sector, 'id' | 'name' | 'color' | 'isActive'> | undefined
  /** 'Sem setor' */
  noneLabel: string
  onChoose: (id: number | null) => void
  id?: string
  className?: string
  isDisabled?: boolean
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}) {
  const offered = sectors.filter(({ id, isActive }) => isActive && id !== chosen?.id)
  const shown = chosen ? [chosen, ...offered] : offered
  return (
    <Select
      {...control}
      value={chosen ? String(chosen.id) : none}
      onChange={(value) => onChoose(value === none ? null : Number(value))}
      options={[
        { value: none, label: noneLabel },
        ...shown.map(({ id, name, color, isActive }) => ({
          value: String(id),
          label: (
            <span className="flex min-w-0 items-center gap-2">
              <SectorDot color={color} />
              <span className="truncate" title={name} dir="auto">
                {name}
              </span>
              {!isActive && <span className="flex-none text-ink-3">inativo</span>}
            </span>
          ),
        })),
      ]}
    />
  )
}
