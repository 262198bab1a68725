import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

export type BadgeTone = 'amber' | 'red' | 'orange' | 'blue' | 'green' | 'accent' | 'plain' | 'neutral'

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line bg-sunken text-ink-2',
  plain: 'border-line bg-transparent text-ink-2',
  accent: 'border-accent-line bg-accent-soft text-accent-text',
  amber: 'border-amber-line bg-amber-soft text-amber-text',
  red: 'border-red-line bg-red-soft text-red-text',
  orange: 'border-orange-line bg-orange-soft text-orange-text',
  blue: 'border-blue-line bg-blue-soft text-blue-text',
  green: 'border-green-line bg-green-soft text-green-text',
}

/** Amber: waiting; red: urgent or failed; orange: in the queue; blue: begun by an operator; green: on. */
export function Badge({
  tone = 'neutral',
  icon: Icon,
  title,
  className,
  children,
}: {
  tone?: BadgeTone
  icon?: LucideIcon
  title?: string
  className?: string
  children: ReactNode
}) {
  return (
    <span
      title={title}
      className={cn(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-tag border',
        'px-[7px] text-xs leading-none font-medium whitespace-nowrap tabular-nums',
        tones[tone],
        className,
      )}
    >
      {Icon && <Icon size={12} aria-hidden />}
      <span className="truncate leading-4">{children}</span>
    </span>
  )
}
