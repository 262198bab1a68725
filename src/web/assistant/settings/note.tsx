import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A note beside the fields. */
export function Note({
  icon: Icon,
  isWarning = false,
  children,
}: {
  icon: LucideIcon
  isWarning?: boolean
  children: ReactNode
}) {
  return (
    <div
      role={isWarning ? 'alert' : 'note'}
      className={[
        'flex w-full max-w-[560px] items-start gap-2 rounded-card border px-3 py-2.5 text-sm',
        isWarning
          ? 'border-amber-line bg-amber-soft text-amber-text'
          : 'border-blue-line bg-blue-soft text-blue-text',
      ].join(' ')}
    >
      <Icon size={16} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0 text-pretty [overflow-wrap:anywhere]">{children}</div>
    </div>
  )
}
