import { ArrowRight, CalendarDays } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

/**
 * The line of the week, with the height that it keeps: one line of text, two where it is narrow. It stands on
 * the dashboard before anything is known of the week, so that nothing moves when it is.
 */
export function WeeklyLine({
  days,
  href = '/reports?period=week',
  children,
}: {
  /** '16/11 a 22/11/2026, comparada a …' */
  days?: string
  href?: string
  /** undefined while loading */
  children?: ReactNode
}) {
  return (
    <section
      aria-label="Na semana"
      aria-busy={children === undefined}
      className={[
        'mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-line bg-surface',
        'px-4 py-2.5 text-sm text-ink-2',
      ].join(' ')}
    >
      <CalendarDays aria-hidden size={16} className="flex-none text-ink-3 max-md:hidden" />
      <div className="flex h-9 min-w-0 flex-1 basis-80 items-center lg:h-[18px]">
        {children === undefined ? (
          <Skeleton className="w-64 max-w-full" />
        ) : (
          <p className="line-clamp-2 min-w-0 tabular-nums lg:line-clamp-1">{children}</p>
        )}
      </div>
      {days !== undefined && (
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums max-xl:hidden">{days}</span>
      )}
      <Link
        href={href}
        className={[
          'target inline-flex h-[18px] items-center gap-1',
          'font-medium text-accent-text hover:underline',
        ].join(' ')}
      >
        Ver relatório <ArrowRight aria-hidden size={16} />
      </Link>
    </section>
  )
}
