import { ChevronDown, type LucideIcon, X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import type { ChooserOption } from './chooser-list.tsx'

const ChooserList = onDemand(async () => (await import('./chooser-list.tsx')).ChooserList)
const PopoverContent = onDemand(
  async () => (await import('#web/ui/overlays/popover-content.tsx')).PopoverContent,
)

const look = (isOn: boolean) =>
  cn(
    'inline-flex h-7 max-w-60 min-w-0 items-center rounded-full border text-xs font-medium',
    'whitespace-nowrap max-md:h-[46px]',
    isOn ? 'border-accent-line bg-accent-soft text-accent-text' : 'border-line-strong bg-surface text-ink-2',
  )
const pressable = 'inline-flex h-full min-w-0 items-center gap-1 rounded-full hover:bg-hover'

/** A filter that is on or off. */
export function ToggleChip({
  label,
  icon: Icon,
  isOn,
  onToggle,
}: {
  label: string
  icon: LucideIcon
  isOn: boolean
  onToggle: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className={cn(look(isOn), 'gap-1 px-2.5 hover:bg-hover')}
    >
      <Icon size={12} aria-hidden className="flex-none" />
      {label}
    </button>
  )
}

interface ChipProps {
  /** What is filtered by: 'Pessoa'. */
  label: string
  /** What was chosen, in words; undefined: everything. */
  shown: string | undefined
  onClear: () => void
}

/** Its text is the name of the filter, or what was chosen, which can be taken away. */
function ChipButtons({
  label,
  shown,
  onClear,
  place,
  isOpen,
  onToggle,
}: ChipProps & {
  place: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onToggle: () => void
}) {
  const isOn = shown !== undefined
  return (
    <>
      <button
        ref={place}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={isOn ? `${label}: ${shown}` : label}
        title={shown}
        onClick={onToggle}
        className={cn(pressable, isOn ? 'pr-1 pl-2.5' : 'pr-2 pl-2.5')}
      >
        <span className="truncate" dir="auto">
          {shown ?? label}
        </span>
        {!isOn && <ChevronDown size={12} aria-hidden className="flex-none" />}
      </button>
      {isOn && (
        <button
          type="button"
          aria-label={`Tirar o filtro: ${label}`}
          onClick={() => {
            onClear()
            place.current?.focus()
          }}
          className={cn(pressable, 'w-6 flex-none justify-center max-md:min-w-11')}
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </>
  )
}

/** Filters by one of a list, which can be searched if it is long. */
export function ChoiceChip({
  value,
  options,
  onChoose,
  searchPlaceholder = 'Buscar...',
  nothingFound = 'Nada encontrado',
  anything,
  ...chip
}: ChipProps & {
  value: string
  /** undefined while they are loading. */
  options: readonly ChooserOption[] | undefined
  onChoose: (value: string) => void
  searchPlaceholder?: string
  nothingFound?: string
  /** Takes the filter away: 'Qualquer pessoa'. */
  anything: string
}) {
  const place = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <span className={look(chip.shown !== undefined)}>
      <ChipButtons {...chip} place={place} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <ChooserList
          place={place}
          onClose={() => setOpen(false)}
          label={chip.label}
          value={value}
          options={options}
          onRetry={undefined}
          onChoose={onChoose}
          searchPlaceholder={searchPlaceholder}
          nothingFound={nothingFound}
          action={{ label: anything, onSelect: chip.onClear }}
        />
      )}
    </span>
  )
}

/** Filters by what is typed into a small form. */
export function FormChip({ children, ...chip }: ChipProps & { children: (close: () => void) => ReactNode }) {
  const place = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <span className={look(chip.shown !== undefined)}>
      <ChipButtons {...chip} place={place} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <PopoverContent place={place} isToggle label={chip.label} align="start" onClose={close}>
          {children(close)}
        </PopoverContent>
      )}
    </span>
  )
}
