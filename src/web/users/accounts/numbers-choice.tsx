import { useId } from 'react'
import type { Role } from '#shared/permissions.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

const choices = [
  { value: 'all', label: 'Todos' },
  { value: 'some', label: 'Só estes' },
] as const

/** Which numbers somebody answers; nothing where there is one number only. */
export function NumbersChoice({
  value,
  role,
  error,
  onChange,
}: {
  /** null: all, also those that come later. */
  value: readonly number[] | null
  role: Role
  error: string | undefined
  onChange: (value: number[] | null) => void
}) {
  const { living } = useNumbers()
  const id = useId()
  if (living.length < 2) return null
  const isAdmin = role === 'admin'
  const isSome = value !== null && !isAdmin
  // Those that were deleted are left out: they cannot be given.
  const toggle = (toggled: number, isOn: boolean) =>
    onChange(
      living.map((number) => number.id).filter((one) => (one === toggled ? isOn : value?.includes(one))),
    )
  return (
    <div className="grid justify-items-start gap-1.5">
      <span className="text-sm font-medium">Números</span>
      {isAdmin ? (
        <p className="text-sm text-ink-2">Administradores atendem todos os números.</p>
      ) : (
        <Segmented
          label="Números que atende"
          value={isSome ? 'some' : 'all'}
          options={choices}
          onChange={(next) => onChange(next === 'all' ? null : living.map((number) => number.id))}
        />
      )}
      {isSome && (
        <ul aria-label="Números" className="grid max-h-44 w-full gap-1 overflow-y-auto py-0.5">
          {living.map((number) => (
            <li key={number.id} className="flex min-h-6 min-w-0 items-center gap-2 text-sm">
              <input
                id={`${id}-${number.id}`}
                type="checkbox"
                checked={value.includes(number.id)}
                aria-describedby={error === undefined ? undefined : `${id}-error`}
                onChange={({ target }) => toggle(number.id, target.checked)}
                className="size-4 flex-none accent-accent"
              />
              <label htmlFor={`${id}-${number.id}`} className="min-w-0 truncate">
                {number.name}
                {number.phone && (
                  <span className="ml-1.5 text-xs text-ink-3 tabular-nums">{formatPhone(number.phone)}</span>
                )}
              </label>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs text-red-text">
          {error}
        </p>
      )}
      {isSome && (
        <p className="text-xs text-ink-3">
          Dos outros não vê nada. As conversas abertas que tiver neles voltam à fila.
        </p>
      )}
    </div>
  )
}
