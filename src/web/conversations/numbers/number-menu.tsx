import { Smartphone } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuChoice, MenuLine } from '#web/ui/overlays/menu.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

interface NumberFilter {
  /** Only the conversations of this number; undefined: of all. */
  instanceId: number | undefined
  onChange: (instanceId: number | undefined) => void
}

const all = 'all'

/** Filters the list by number, where the person has several. */
export function NumberMenu({ instanceId, onChange, isSmall = false }: NumberFilter & { isSmall?: boolean }) {
  const { living, nameOf } = useNumbers()
  if (living.length < 2) return null
  const name = instanceId === undefined ? undefined : nameOf(instanceId)
  const label = `Número: ${name ?? 'todos'}`
  return (
    <Menu
      trigger={
        isSmall ? (
          <IconButton
            label={label}
            icon={Smartphone}
            size="sm"
            className={cn(name !== undefined && 'text-accent-text')}
          />
        ) : (
          <Button icon={Smartphone} title={label}>
            <span className="max-w-44 truncate">{label}</span>
          </Button>
        )
      }
    >
      <NumberMenuChoice instanceId={instanceId} onChange={onChange} />
    </Menu>
  )
}

/** In a menu. @param hasLine whether a line follows */
export function NumberMenuChoice({
  instanceId,
  onChange,
  hasLine = false,
}: NumberFilter & { hasLine?: boolean }) {
  const { living } = useNumbers()
  if (living.length < 2) return null
  return (
    <>
      <MenuChoice
        label="Número"
        options={[
          { value: all, label: 'Todos' },
          ...living.map(({ id, name }) => ({
            value: String(id),
            label: <span className="max-w-56 truncate">{name}</span>,
          })),
        ]}
        value={instanceId === undefined ? all : String(instanceId)}
        onChoose={(value) => onChange(value === all ? undefined : Number(value))}
      />
      {hasLine && <MenuLine />}
    </>
  )
}

/** Above a filtered list: which number it is of, and the way back to all. */
export function NumberStrip({ instanceId, onChange, className }: NumberFilter & { className?: string }) {
  const name = useNumbers().nameOf(instanceId ?? 0)
  if (name === undefined) return null
  return (
    <div
      className={cn(
        'flex h-8 flex-none items-center gap-1.5 border-b border-line px-3 text-xs font-medium text-ink-2',
        className,
      )}
    >
      <Smartphone aria-hidden size={12} className="flex-none" />
      <span className="min-w-0 flex-1 truncate" title={name}>
        Só {name}
      </span>
      <button
        type="button"
        onClick={() => onChange(undefined)}
        className="h-6 flex-none rounded-control px-1.5 text-accent-text hover:bg-hover"
      >
        Mostrar todos
      </button>
    </div>
  )
}
