import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** A bordered surface; with a title it is a named section. */
export function Card({
  title,
  note,
  actions,
  className,
  children,
}: {
  title?: string
  /** Secondary text beside the title; below it on small screens. */
  note?: ReactNode
  /** At the right of the header. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  const look = cn('rounded-card border border-line bg-surface', className)
  if (title === undefined) return <div className={look}>{children}</div>
  return (
    <section aria-label={title} className={look}>
      {/* Buttons, which are 44 px high on a phone, would touch its lines. */}
      <header className="flex min-h-11 items-center gap-2 border-b border-line pr-2 pl-4 max-md:min-h-13">
        <div className="min-w-0 items-center gap-2 md:flex">
          <h2 className="shrink-0 text-base font-semibold">{title}</h2>
          {note && <p className="text-xs text-ink-3">{note}</p>}
        </div>
        {actions && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
