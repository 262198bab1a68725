import type { ReactNode } from 'react'
import { Mark } from '#web/ui/badges/mark.tsx'

/** The frame of what a person must do before they are let in: a heading and a card. */
export function EntryFrame({
  title,
  text,
  below,
  children,
}: {
  title: string
  text: ReactNode
  /** Below the card. */
  below?: ReactNode
  children: ReactNode
}) {
  return (
    <main className="login-ground relative isolate grid min-h-full justify-items-center bg-canvas">
      <div className="relative row-start-2 w-full max-w-[480px] px-5 py-8 md:px-0">
        <div className="mb-5 grid justify-items-start gap-[3px]">
          <Mark className="mb-3 size-10" />
          <h1 className="text-2xl font-semibold tracking-figure">{title}</h1>
          <p className="text-ink-2">{text}</p>
        </div>
        <div className="rounded-card bg-surface p-6 shadow-float">{children}</div>
        {below}
      </div>
    </main>
  )
}
