import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** The frame of an ordinary screen: scrolls, at most 1136 px wide, with its title. */
export function Page({
  title,
  subtitle,
  actions,
  isTabbed = false,
  className,
  children,
}: {
  title: ReactNode
  subtitle?: ReactNode
  /** At the right of the heading. */
  actions?: ReactNode
  /** The content begins with tabs, close to the heading. */
  isTabbed?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <div
      className={[
        // A field that gets the focus, and the error below it, stay clear of a form's save bar.
        'thin-scroll relative flex h-full min-h-0 scroll-pb-32 flex-col overflow-auto',
        'px-4 pt-4 pb-6 md:px-6 md:pt-6 md:pb-10 lg:px-8',
        'print:block print:h-auto print:p-0',
      ].join(' ')}
    >
      <div
        className={cn(
          'mx-auto flex w-full max-w-[1136px] flex-auto flex-col print:block print:max-w-none',
          className,
        )}
      >
        <header
          className={cn(
            'flex flex-wrap items-center gap-3 md:items-end',
            isTabbed ? 'mb-1.5' : 'mb-3 md:mb-5',
          )}
        >
          <div className="min-w-0 flex-1 basis-40">
            <h1 className="text-xl font-semibold tracking-title">{title}</h1>
            {subtitle && <p className="mt-0.5 text-sm text-ink-2">{subtitle}</p>}
          </div>
          {actions && (
            <div className="flex max-w-full flex-wrap items-center gap-2 print:hidden">{actions}</div>
          )}
        </header>
        {children}
      </div>
    </div>
  )
}
