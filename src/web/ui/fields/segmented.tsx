import type { LucideIcon } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { cn } from '#web/ui/cn.ts'

/** One of a few choices that exclude each other, all of them in sight. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  size = 'md',
  className,
}: {
  /** Accessible name of the group. */
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon?: LucideIcon }[]
  onChange: (value: Value) => void
  size?: 'sm' | 'md'
  className?: string
}) {
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent, at: number) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = options[(at + step + options.length) % options.length]
    if (!next) return
    onChange(next.value)
    group.current?.querySelectorAll('button')[options.indexOf(next)]?.focus()
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={cn('inline-flex flex-none rounded-control border border-line bg-sunken p-0.5', className)}
    >
      {options.map((option, at) => {
        const isChosen = option.value === value
        const Icon = option.icon
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isChosen}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => onChange(option.value)}
            onKeyDown={(event) => move(event, at)}
            className={cn(
              'inline-flex min-w-max flex-1 items-center justify-center gap-2 rounded-[6px] border',
              'text-sm font-medium whitespace-nowrap',
              size === 'sm' ? 'h-6 px-2' : 'h-[26px] px-2.5',
              isChosen ? 'border-line bg-surface text-ink' : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {Icon && <Icon size={14} aria-hidden />}
            {option.label}
          </button>
        )
      })}
    </div>
  )
}
