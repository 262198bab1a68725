import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'

/** What the machine wrote, or is writing: by its ground, its mark and its words. */
export function AiBox({
  label,
  title,
  note,
  actions,
  children,
}: {
  /** The name of the region. */
  label: string
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section
      aria-label={label}
      className="max-h-[40vh] overflow-y-auto rounded-card border border-accent-line bg-accent-soft text-sm"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-[7px] py-0.5 pr-1.5 pl-3 text-xs">
        <Sparkles size={14} aria-hidden className="flex-none text-accent-text" />
        <span className="font-semibold text-accent-text">{title}</span>
        {note && <span className="text-ink-2 tabular-nums">{note}</span>}
        <span className="ml-auto flex items-center">{actions}</span>
      </div>
      <div className="px-3 pb-3">{children}</div>
    </section>
  )
}
