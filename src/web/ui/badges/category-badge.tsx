import type { CSSProperties } from 'react'
import { cn } from '#web/ui/cn.ts'

/** A category in the colour that an administrator chose, readable in both themes. */
export function CategoryBadge({
  color,
  className,
  children,
}: {
  /** '#rrggbb' */
  color: string
  className?: string
  children: string
}) {
  return (
    <span
      style={{ '--cat': color } as CSSProperties}
      title={children}
      className={cn(
        'badge-cat inline-block h-5 max-w-full shrink-0 truncate',
        'rounded-tag border px-[7px] text-xs leading-[18px] font-medium',
        className,
      )}
    >
      {children}
    </span>
  )
}
