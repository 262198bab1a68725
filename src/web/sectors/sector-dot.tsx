import type { CSSProperties } from 'react'
import { cn } from '#web/ui/cn.ts'

/** The square of a sector, beside its name; that of none is dashed. Categories have a round dot. */
export function SectorDot({ color, className }: { color: string | null; className?: string }) {
  return (
    <span
      aria-hidden
      {...(color !== null && { style: { '--cat': color } as CSSProperties })}
      className={cn(
        'inline-block size-2.5 shrink-0 rounded-[3px]',
        color === null ? 'border border-dashed border-ink-3' : 'cat-dot',
        className,
      )}
    />
  )
}
