import type { KnownChoice } from '#shared/contacts/contact-imports.ts'
import { cn } from '#web/ui/cn.ts'

const labels: Readonly<Record<KnownChoice, string>> = { update: 'Atualizar', skip: 'Pular' }

/** What is done with a number that a contact has already. Updating needs the right to edit contacts. */
export function KnownSwitch({
  value,
  mayUpdate,
  onChange,
}: {
  value: KnownChoice
  mayUpdate: boolean
  onChange: (value: KnownChoice) => void
}) {
  return (
    <span
      role="group"
      aria-label="Telefone que já existe"
      className="inline-flex rounded-control border border-line bg-sunken p-0.5"
    >
      {(['update', 'skip'] as const)
        .filter((choice) => mayUpdate || choice === 'skip')
        .map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === value}
            onClick={() => onChange(choice)}
            className={cn(
              'h-7 rounded-[6px] px-2.5 text-sm font-medium',
              choice === value ? 'bg-surface text-ink shadow-float' : 'text-ink-2 hover:text-ink',
            )}
          >
            {labels[choice]}
          </button>
        ))}
    </span>
  )
}
