import { cn } from '#web/ui/cn.ts'

/** A grey placeholder of the final size; the list around it carries `aria-busy` and the text. */
export function Skeleton({ className, isRound = false }: { className?: string; isRound?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'animate-skeleton block shrink-0 bg-line',
        isRound ? 'size-9 rounded-full' : 'h-2.5 rounded-[5px]',
        className,
      )}
    />
  )
}
