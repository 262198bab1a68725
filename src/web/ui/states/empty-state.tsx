import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** An empty list: one sentence, and one action. */
export function EmptyState({
  icon: Icon = Inbox,
  title,
  description,
  action,
  role,
  isPage = false,
  className,
}: {
  icon?: LucideIcon
  title: string
  description?: ReactNode
  action?: ReactNode
  role?: 'alert' | 'status'
  /** Fills the screen: its title is the heading. */
  isPage?: boolean
  className?: string
}) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div
      role={role}
      className={cn(
        'grid flex-1 place-content-center justify-items-center gap-1 px-6 py-10 text-center',
        className,
      )}
    >
      <Icon size={20} aria-hidden className="mb-1.5 text-ink-3" />
      <Title className="font-semibold text-balance">{title}</Title>
      {description && <p className="max-w-[34ch] text-sm text-balance text-ink-2">{description}</p>}
      {action && <div className="mt-2.5">{action}</div>}
    </div>
  )
}
