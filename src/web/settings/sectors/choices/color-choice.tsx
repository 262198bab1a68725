import { Check } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useRef } from 'react'
import { sectorPalette } from '#shared/sectors/managed-sectors.ts'
import { cn } from '#web/ui/cn.ts'
import { colorNames } from '#web/settings/sectors/words.ts'

/** The colours of sectors, of which one is chosen by click or arrow. */
export function ColorChoice({
  value,
  isDisabled = false,
  onChoose,
}: {
  value: string
  isDisabled?: boolean
  onChoose: (color: string) => void
}) {
  const group = useRef<HTMLDivElement>(null)
  const chosen = sectorPalette.findIndex((color) => color === value.toLowerCase())
  const move = (event: KeyboardEvent, at: number) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const to = (at + step + sectorPalette.length) % sectorPalette.length
    onChoose(sectorPalette[to] ?? value)
    group.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label="Cor"
      className="flex min-h-9 items-center gap-2 max-md:grid max-md:grid-cols-[repeat(4,44px)] max-md:gap-0"
    >
      {sectorPalette.map((color, at) => (
        <button
          key={color}
          type="button"
          role="radio"
          aria-checked={at === chosen}
          aria-label={colorNames[color]}
          title={colorNames[color]}
          disabled={isDisabled}
          // One that is of no palette leaves the first to the keyboard.
          tabIndex={at === Math.max(0, chosen) ? 0 : -1}
          onClick={() => onChoose(color)}
          onKeyDown={(event) => move(event, at)}
          className="grid size-6 place-items-center rounded-[7px] max-md:size-11"
        >
          <span
            style={{ '--cat': color, color: 'white' } as CSSProperties}
            className={cn(
              'cat-dot grid size-[22px] place-items-center rounded-[7px]',
              at === chosen && 'outline-2 outline-offset-2 outline-ink-3',
              isDisabled && at !== chosen && 'opacity-40',
            )}
          >
            {at === chosen && <Check size={14} aria-hidden />}
          </span>
        </button>
      ))}
    </div>
  )
}
