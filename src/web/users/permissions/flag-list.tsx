import { useId } from 'react'
import { type Flag, type Flags, powerlessFlags, type Role } from '#shared/permissions.ts'
import { flagGroups, purposeIn } from '#shared/text/rights/flag-texts.ts'
import type { Scope } from '#shared/users/scope.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { whoseFlag } from './obstacle-text.ts'

/** The flags that a role cannot make use of: they are shown as off. */
export const powerlessOf = (role: Role): ReadonlySet<Flag> =>
  new Set<Flag>(role === 'admin' ? [] : powerlessFlags[role])

/** All flags as switches, in groups. */
export function FlagList({
  role,
  flags,
  scope = 'all',
  onChange,
}: {
  role: Role
  flags: Flags
  /** Of which conversations the person knows. */
  scope?: Scope
  onChange: (flag: Flag, value: boolean) => void
}) {
  const isAdmin = role === 'admin'
  const powerless = powerlessOf(role)
  const id = useId()
  const isOn = (flag: Flag) => flags[flag] && !powerless.has(flag)
  return (
    <div className="gap-6 md:columns-2 lg:columns-3">
      {flagGroups.map((group) => (
        <section key={group.title} aria-label={group.title} className="mb-4 break-inside-avoid">
          <h3 className="mb-1 flex items-baseline text-sm font-semibold">
            {group.title}
            <span className="ml-auto text-xs font-normal text-ink-3 tabular-nums">
              {group.flags.filter(({ flag }) => isOn(flag)).length} de {group.flags.length}
            </span>
          </h3>
          {group.flags.map((text) => {
            const { flag, label } = text
            return (
              <div key={flag} className="flex items-center gap-3 py-1">
                <label htmlFor={`${id}-${flag}`} className="min-w-0 flex-1 text-sm">
                  {label}
                  <span className="block text-xs text-ink-3">
                    {powerless.has(flag) ? whoseFlag(flag) : purposeIn(scope, text)}
                  </span>
                </label>
                <Switch
                  id={`${id}-${flag}`}
                  checked={isOn(flag)}
                  disabled={isAdmin || powerless.has(flag)}
                  onCheckedChange={(value) => onChange(flag, value)}
                />
              </div>
            )
          })}
        </section>
      ))}
    </div>
  )
}
