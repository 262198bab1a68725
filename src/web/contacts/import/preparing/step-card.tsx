import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** One step of an import, with its number. */
export function StepCard({
  step,
  title,
  note,
  action,
  className,
  children,
}: {
  step: number
  title: string
  note?: ReactNode
  /** At the right of the header. */
  action?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className={cn(
        'flex min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface',
        className,
      )}
    >
      <header className="flex min-h-13 items-center gap-2.5 border-b border-line px-4 py-2">
        <span
          aria-hidden
          className={[
            'grid size-[18px] flex-none place-items-center rounded-full',
            'bg-accent text-xs font-semibold text-accent-ink',
          ].join(' ')}
        >
          {step}
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {note && <p className="truncate text-xs text-ink-3">{note}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

/** What became of the rows, in three or four figures. */
export function Figures({
  figures,
}: {
  figures: readonly { label: string; value: string; isBad?: boolean }[]
}) {
  return (
    <dl className="grid auto-cols-fr grid-flow-col gap-2 border-b border-line px-4 py-3.5">
      {figures.map(({ label, value, isBad = false }) => (
        <div key={label} className="flex min-w-0 flex-col-reverse justify-end">
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className={cn('text-lg font-semibold tabular-nums', isBad && 'text-red-text')}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
