import { Card } from '#web/ui/layout/card.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

/** The screen while its sectors are fetched, at the places where they will be. */
export function SectorsSkeleton({ hasEditor }: { hasEditor: boolean }) {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Carregando setores..."
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[340px_minmax(0,1fr)]"
    >
      <Card className="overflow-hidden">
        {Array.from({ length: 5 }, (_, at) => (
          <div
            key={at}
            className="grid h-[63px] content-center gap-3 border-b border-line px-4 last:border-b-0"
          >
            <Skeleton className="w-32" />
            <Skeleton className="w-44" />
          </div>
        ))}
      </Card>
      {hasEditor && (
        <Card className="h-[720px]">
          <div className="flex h-11 items-center border-b border-line px-5">
            <Skeleton className="w-36" />
          </div>
          {[0, 1, 2].map((at) => (
            <div key={at} className="mx-5 grid gap-4 border-b border-line py-6 md:grid-cols-[176px_1fr]">
              <Skeleton className="w-24" />
              <div className="grid gap-3">
                <Skeleton className="h-9 w-full" />
                <Skeleton className="h-9 w-full" />
              </div>
            </div>
          ))}
        </Card>
      )}
    </div>
  )
}
