import { Skeleton } from '#web/ui/states/skeleton.tsx'

const widths = ['w-[46%]', 'w-[62%]', 'w-[38%]', 'w-[54%]', 'w-[58%]', 'w-[42%]']

/** Rows of the final size while the list loads. */
export function PaneSkeleton({ count = widths.length, rowLook = 'h-(--height-row) px-3' }) {
  return (
    <div role="status" aria-label="Carregando conversas" className="min-h-0 flex-1 overflow-hidden">
      {widths.slice(0, count).map((width) => (
        <div
          key={width}
          className={`flex items-center gap-2.5 shadow-[inset_0_-1px_0_var(--color-line)] ${rowLook}`}
        >
          <Skeleton className="size-9 flex-none rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className={`h-2.5 ${width}`} />
            <Skeleton className="h-2.5 w-3/4" />
          </div>
        </div>
      ))}
    </div>
  )
}
