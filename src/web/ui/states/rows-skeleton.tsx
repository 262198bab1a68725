import { cn } from '#web/ui/cn.ts'
import { Skeleton } from './skeleton.tsx'

/**
 * Instead of a list whose rows are on their way.
 * @param height of a row, a class
 */
export function RowsSkeleton({ height = 'h-11', className }: { height?: string; className?: string }) {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Carregando"
      className={cn('rounded-card border border-line', className)}
    >
      {Array.from({ length: 5 }, (_, at) => (
        <div
          key={at}
          className={cn('flex items-center gap-3 border-t border-line px-4 first:border-t-0', height)}
        >
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  )
}
