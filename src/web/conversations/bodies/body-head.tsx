import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { FileName } from '#web/ui/file-name.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'

/** An icon on a tile, a title and a line of detail. */
export function BodyHead({
  icon: Icon,
  title,
  detail,
  children,
}: {
  icon: LucideIcon
  title: string
  detail?: string | undefined
  /** At the end of the line. */
  children?: ReactNode
}) {
  return (
    <div className="flex items-center gap-2.5 pt-0.5">
      <span className="grid h-10 w-9 flex-none place-items-center rounded-[6px] bg-ink/7 text-ink-2">
        <Icon aria-hidden size={20} />
      </span>
      <span className="min-w-0 flex-1">
        <FileName name={title} className="font-medium" />
        {detail && <span className="block text-xs text-ink-2 tabular-nums">{detail}</span>}
      </span>
      {children}
    </div>
  )
}

/** The text below a head, with the time at its end. */
export function BodyText({ text, meta }: { text: string; meta: ReactNode }) {
  return (
    <div dir="auto" className="mt-1">
      <RichText text={text} />
      {meta}
    </div>
  )
}

/** Width of a card; never wider than its bubble. */
export const cardWidth = 'w-[268px] max-w-full'
