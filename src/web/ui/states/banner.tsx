import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

const tones = {
  amber: 'border-amber-line bg-amber-soft text-amber-text',
  red: 'border-red-line bg-red-soft text-red-text',
  blue: 'border-blue-line bg-blue-soft text-blue-text',
}

/** A line across the top of the area that it concerns. */
export function Banner({
  tone = 'amber',
  icon,
  title,
  className,
  children,
}: {
  tone?: keyof typeof tones
  icon?: ReactNode
  title?: string | undefined
  className?: string
  children: ReactNode
}) {
  return (
    <div
      role="status"
      title={title}
      className={cn(
        'flex min-h-[30px] shrink-0 items-center justify-center gap-2 border-b px-3 py-1 text-xs font-medium',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </div>
  )
}
