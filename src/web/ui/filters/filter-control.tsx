import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuChoice, MenuLine } from '#web/ui/overlays/menu.tsx'

interface FilterOption {
  value: string
  name: string
  mark?: ReactNode
  /** What a list that is filtered by it says above it; 'Só' and the name without. */
  strip?: string
}

/** What a list is filtered by: one of several, or all of them. */
export interface Filter {
  /** 'Número' */
  title: string
  icon: LucideIcon
  options: readonly FilterOption[]
  /** undefined: all. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/**
 * Where the filter stands: a button with what is chosen, the same as an icon, a choice within another menu
 * with a line below it, or a strip above the filtered list with the way back to all.
 */
export type FilterPlace = 'button' | 'icon' | 'choice' | 'strip'

export function FilterControl({ at, filter }: { at: FilterPlace; filter: Filter }) {
  if (at === 'strip') return <Strip filter={filter} />
  const choice = <Choice filter={filter} />
  if (at === 'choice')
    return (
      <>
        {choice}
        <MenuLine />
      </>
    )
  const { title, icon, value } = filter
  const label = `${title}: ${chosenIn(filter)?.name ?? 'todos'}`
  return (
    <Menu
      trigger={
        at === 'icon' ? (
          <IconButton
            label={label}
            icon={icon}
            size="sm"
            className={cn(value !== undefined && 'text-accent-text')}
          />
        ) : (
          <Button icon={icon} title={label}>
            <span className="max-w-44 truncate">{label}</span>
          </Button>
        )
      }
    >
      {choice}
    </Menu>
  )
}

const all = 'all'
const chosenIn = ({ options, value }: Filter) => options.find((option) => option.value === value)

function Choice({ filter: { title, options, value, onChange } }: { filter: Filter }) {
  return (
    <MenuChoice
      label={title}
      options={[
        { value: all, label: 'Todos' },
        ...options.map((option) => ({
          value: option.value,
          label: (
            <span className="flex max-w-56 min-w-0 items-center gap-2">
              {option.mark}
              <span className="truncate">{option.name}</span>
            </span>
          ),
        })),
      ]}
      value={value ?? all}
      onChoose={(chosen) => onChange(chosen === all ? undefined : chosen)}
    />
  )
}

function Strip({ filter }: { filter: Filter }) {
  const { icon: Icon, onChange } = filter
  const chosen = chosenIn(filter)
  if (!chosen) return null
  const { name, strip = `Só ${name}` } = chosen
  return (
    <div
      className={[
        'flex h-8 flex-none items-center gap-1.5 border-b border-line px-3',
        'text-xs font-medium text-ink-2',
      ].join(' ')}
    >
      <Icon aria-hidden size={12} className="flex-none" />
      <span className="min-w-0 flex-1 truncate" title={name}>
        {strip}
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
