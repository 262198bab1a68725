import { cn } from '#web/ui/cn.ts'

/** A count; nothing for zero. `label` says what is counted: '3 não lidas'. */
export function CountBadge({
  count,
  label,
  isQuiet = false,
  className,
}: {
  count: number
  label: string
  isQuiet?: boolean
  className?: string
}) {
  if (count === 0) return null
  return (
    <span
      className={cn(
        'inline-grid h-[18px] min-w-[18px] shrink-0 place-items-center',
        'rounded-full px-[5px] text-xs leading-none font-semibold tabular-nums',
        isQuiet ? 'bg-line text-ink-2' : 'bg-accent text-accent-ink',
        className,
      )}
    >
      <span aria-hidden>{count > 999 ? '999+' : count}</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
