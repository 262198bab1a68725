import { Plus, Smartphone, X } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import type { Inherited } from '#shared/sectors/managed-sectors.ts'

const choices = [
  { value: 'all', label: 'Todos' },
  { value: 'some', label: 'Alguns' },
] as const

/** Which numbers a sector serves: all, also later ones, or some. */
export function NumbersChoice({
  numbers,
  value,
  error,
  isDisabled = false,
  onChange,
}: {
  numbers: Inherited['numbers']
  value: readonly number[] | null
  error?: string | undefined
  isDisabled?: boolean
  onChange: (value: number[] | null) => void
}) {
  const served = numbers.filter(({ id }) => value?.includes(id))
  const others = numbers.filter(({ id }) => !value?.includes(id))
  const set = (ids: readonly number[]) => onChange(ids.toSorted((a, b) => a - b))
  return (
    <fieldset disabled={isDisabled} className="grid w-full justify-items-start gap-2.5">
      <Segmented
        label="Números"
        value={value === null ? 'all' : 'some'}
        options={choices}
        onChange={(next) => (next === 'all' ? onChange(null) : set(numbers.map(({ id }) => id)))}
      />
      {value !== null && (
        <div className="flex w-full flex-wrap items-center gap-2">
          {served.map(({ id, name }) => (
            <span
              key={id}
              className={[
                'inline-flex h-7 max-w-full min-w-0 items-center rounded-[6px] border border-line',
                'bg-sunken pl-2.5 text-sm max-md:h-11',
              ].join(' ')}
            >
              <span className="min-w-0 truncate" title={name} dir="auto">
                {name}
              </span>
              <button
                type="button"
                aria-label={`Tirar ${name}`}
                onClick={() => set(served.flatMap((one) => (one.id === id ? [] : one.id)))}
                className={[
                  'grid h-full w-7 flex-none place-items-center rounded-[6px] text-ink-2',
                  'not-disabled:hover:bg-hover not-disabled:hover:text-ink max-md:w-11',
                ].join(' ')}
              >
                <X size={14} aria-hidden />
              </button>
            </span>
          ))}
          {others.length > 0 && !isDisabled && (
            <Menu
              align="start"
              trigger={
                <Button size="sm" icon={Plus}>
                  Número
                </Button>
              }
            >
              {others.map(({ id, name }) => (
                <MenuItem
                  key={id}
                  icon={Smartphone}
                  onSelect={() => set([...served.map((one) => one.id), id])}
                >
                  {name}
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
      )}
      {error && (
        <p role="alert" className="text-xs text-red-text">
          {error}
        </p>
      )}
    </fieldset>
  )
}
