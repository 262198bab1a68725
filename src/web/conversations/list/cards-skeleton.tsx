import { Skeleton } from '#web/ui/states/skeleton.tsx'

const widths = ['w-[46%]', 'w-[62%]', 'w-[38%]', 'w-[54%]', 'w-[58%]', 'w-[42%]']

/** Cards of the final size while the list loads. */
export function CardsSkeleton() {
  return (
    <div
      role="status"
      aria-label="Carregando conversas"
      className="grid min-h-0 flex-1 content-start gap-2 overflow-hidden"
    >
      {widths.map((width) => (
        <div
          key={width}
          className={[
            'flex h-[160px] items-start gap-3.5 rounded-card border',
            'border-line bg-surface px-3.5 py-3 md:h-[66px] md:items-center',
          ].join(' ')}
        >
          <Skeleton isRound className="md:size-10" />
          <div className="grid flex-1 gap-2.5">
            <Skeleton className={width} />
            <Skeleton className="w-3/4" />
          </div>
          <div className="hidden w-[372px] justify-items-end gap-2.5 md:grid">
            <Skeleton className="w-48" />
            <Skeleton className="w-64" />
          </div>
        </div>
      ))}
    </div>
  )
}
