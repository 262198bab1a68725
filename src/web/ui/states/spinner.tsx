import { LoaderCircle } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'

export function Spinner({
  size = 16,
  label,
  className,
}: {
  size?: number
  /** Announced to screen readers; without it the spinner is decoration beside a text. */
  label?: string
  className?: string
}) {
  if (!label) return <LoaderCircle size={size} aria-hidden className={cn('animate-spin-slow', className)} />
  return (
    <span role="status" className={cn('inline-grid place-items-center', className)}>
      <LoaderCircle size={size} aria-hidden className="animate-spin-slow" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
