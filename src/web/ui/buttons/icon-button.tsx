import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { tooltip, type TooltipSide } from '#web/ui/overlays/tooltip.ts'

/** A button without text: its label is read aloud and shown on hover. */
export function IconButton({
  label,
  icon: Icon,
  size = 'md',
  tone = 'plain',
  isOn,
  isBusy = false,
  tooltipSide,
  className,
  disabled,
  onClick,
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  label: string
  icon: LucideIcon
  /** 32 px, 28 in rows */
  size?: 'md' | 'sm'
  tone?: 'plain' | 'danger' | 'accent'
  /** For switches: whether it is on. Absent for an ordinary button. */
  isOn?: boolean
  isBusy?: boolean
  tooltipSide?: TooltipSide
}) {
  return (
    <button
      type="button"
      {...rest}
      {...tooltip(label, tooltipSide)}
      aria-label={label}
      aria-pressed={isOn}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      disabled={disabled}
      onClick={isBusy ? undefined : onClick}
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-control',
        'disabled:cursor-default disabled:text-line-strong',
        size === 'md' ? 'size-8' : 'size-7',
        tone === 'plain' && 'text-ink-2 not-disabled:hover:bg-hover not-disabled:hover:text-ink',
        tone === 'danger' && 'text-red-text not-disabled:hover:bg-red-soft',
        tone === 'accent' && 'bg-accent text-accent-ink not-disabled:hover:bg-accent-hover',
        isOn && tone === 'plain' && 'bg-hover text-ink',
        className,
      )}
    >
      {isBusy ? <Spinner /> : <Icon size={16} aria-hidden />}
    </button>
  )
}
