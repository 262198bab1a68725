import type { Inherited, ManagedSector } from '#shared/sectors/managed-sectors.ts'

/** Of which numbers a sector gets the new conversations. */
export function DefaultChoice({
  numbers,
  value,
  others = [],
  isDisabled = false,
  onChange,
}: {
  /** Those that the sector serves. */
  numbers: Inherited['numbers']
  value: readonly number[]
  /** The other sectors: a number has one of them all. */
  others?: readonly Pick<ManagedSector, 'name' | 'defaultOf'>[]
  isDisabled?: boolean
  onChange: (value: number[]) => void
}) {
  const isServed = (id: number) => numbers.some((number) => number.id === id)
  const toggle = (id: number, isOn: boolean) => {
    const rest = value.filter((one) => one !== id && isServed(one))
    onChange((isOn ? [...rest, id] : rest).toSorted((a, b) => a - b))
  }
  return (
    <fieldset disabled={isDisabled} className="grid w-full gap-1">
      <legend className="mb-1 text-sm font-medium">Setor padrão de</legend>
      {numbers.map(({ id, name }) => {
        const now = value.includes(id) ? undefined : others.find(({ defaultOf }) => defaultOf.includes(id))
        return (
          <label key={id} className="flex min-h-8 min-w-0 items-center gap-2 text-sm max-md:min-h-11">
            <input
              type="checkbox"
              checked={value.includes(id)}
              onChange={({ target }) => toggle(id, target.checked)}
              className="size-4 flex-none accent-accent"
            />
            <span className="min-w-0 truncate" title={name} dir="auto">
              {name}
            </span>
            {now && <span className="min-w-0 truncate text-xs text-ink-3">hoje {now.name}</span>}
          </label>
        )
      })}
      {numbers.length === 0 && <p className="text-sm text-ink-3">Nenhum número está conectado ainda.</p>}
      <p className="text-xs text-pretty text-ink-3">
        Conversas novas de um número marcado vão para este setor. As outras ficam em ‘Sem setor’, e quem
        atende as coloca.
      </p>
    </fieldset>
  )
}
