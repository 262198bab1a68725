import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/**
 * A setting: explained at the left, controlled at the right. `--section-side` is the width of the left on
 * large screens, where something else stands beside it.
 */
export function SettingsSection({
  title,
  description,
  isLast = false,
  children,
}: {
  title: string
  description?: ReactNode
  /** No border below. */
  isLast?: boolean
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className={cn(
        'grid gap-3 py-[22px] md:grid-cols-[200px_minmax(0,1fr)]',
        'md:gap-6 lg:grid-cols-[var(--section-side,264px)_minmax(0,1fr)] lg:gap-8',
        !isLast && 'border-b border-line',
      )}
    >
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {description && <p className="mt-1 text-sm text-pretty text-ink-2">{description}</p>}
      </div>
      <div className="grid min-w-0 content-start justify-items-start gap-3.5">{children}</div>
    </section>
  )
}
