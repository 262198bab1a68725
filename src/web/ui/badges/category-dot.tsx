import type { CSSProperties } from 'react'
import { cn } from '#web/ui/cn.ts'

export function CategoryDot({
  color,
  label,
  className,
}: {
  color: string
  label: string
  className?: string
}) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      style={{ '--cat': color } as CSSProperties}
      className={cn('cat-dot size-2 shrink-0 rounded-full', className)}
    />
  )
}
