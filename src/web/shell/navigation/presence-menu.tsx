import { ChevronsUpDown } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { useAway } from '#web/users/users.tsx'

const choices = [
  { value: 'available', label: 'Disponível', dot: 'bg-green' },
  { value: 'away', label: 'Ausente', dot: 'bg-amber' },
] as const

/** Whether colleagues and the queue count on the signed-in user. */
export function PresenceMenu({ isFolded }: { isFolded: boolean }) {
  const { isAway, setIsAway } = useAway()
  const chosen = choices[isAway ? 1 : 0]
  const name = `Presença: ${chosen.label}`
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          {...(isFolded && tooltip(name, 'right'))}
          aria-label={name}
          className={cn(
            'inline-flex items-center rounded-control text-sm font-medium text-ink-2',
            'hover:bg-hover hover:text-ink',
            isFolded ? 'size-8 justify-center' : '-ml-1.5 h-7 justify-self-start px-1.5 gap-2',
          )}
        >
          <Dot look={chosen.dot} />
          {!isFolded && (
            <>
              {chosen.label}
              <ChevronsUpDown size={14} aria-hidden className="text-ink-3" />
            </>
          )}
        </button>
      }
    >
      <MenuChoice
        label="Presença"
        options={choices.map(({ value, label, dot }) => ({
          value,
          label: (
            <span className="inline-flex items-center gap-2">
              <Dot look={dot} />
              {label}
            </span>
          ),
        }))}
        value={chosen.value}
        onChoose={(next) => setIsAway(next === 'away')}
      />
    </Menu>
  )
}

const Dot = ({ look }: { look: string }) => (
  <i aria-hidden className={cn('size-2 flex-none rounded-full', look)} />
)
