import { Skeleton } from '#web/ui/states/skeleton.tsx'

/** Instead of a list whose rows are on their way. */
export function OrderedSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando" className="mt-4 rounded-card border border-line">
      {Array.from({ length: 5 }, (_, at) => (
        <div key={at} className="flex h-11 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  )
}
