import type { ReportStats } from '#shared/reports/reports.ts'
import { Stars } from '#web/ui/badges/stars.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import type { Restriction } from '#web/reports/asked/use-report.ts'

/** How many ratings of each kind, and those with a comment. */
export function RatingsCard({
  stats,
  onList,
}: {
  stats: ReportStats | undefined
  onList: (restriction: Restriction) => void
}) {
  const most = Math.max(1, ...(stats?.stars ?? []))
  return (
    <Card title="Avaliações" className="min-w-0 break-inside-avoid">
      {!stats ? (
        <div aria-busy className="grid gap-4 p-4">
          {Array.from({ length: 5 }, (_, at) => (
            <Skeleton key={at} className="w-full" />
          ))}
        </div>
      ) : stats.rated.count === 0 ? (
        <EmptyState title="Nenhuma avaliação no período" />
      ) : (
        <>
          <ul className="grid gap-1.5 px-4 pt-3 pb-3">
            {[5, 4, 3, 2, 1].map((star) => {
              const value = stats.stars[star - 1] ?? 0
              return (
                <li key={star} className="flex h-6 items-center gap-3 text-sm max-md:h-11">
                  <Stars value={star} />
                  <span aria-hidden className="h-1.5 flex-1 rounded-full bg-sunken">
                    <span
                      className="block h-full rounded-full bg-chart-1"
                      style={{ width: `${(100 * value) / most}%` }}
                    />
                  </span>
                  <span className="min-w-8 text-right tabular-nums">
                    <CountButton
                      value={value}
                      what={star === 1 ? '1 estrela' : `${star} estrelas`}
                      onOpen={() => onList({ figure: 'rated', stars: String(star) as Restriction['stars'] })}
                    />
                  </span>
                </li>
              )
            })}
          </ul>
          <p className="border-t border-line px-4 py-2 text-sm text-ink-2 tabular-nums">
            Com comentário:{' '}
            <CountButton
              value={stats.rated.commented}
              what="Com comentário"
              onOpen={() => onList({ figure: 'commented' })}
            />
          </p>
        </>
      )}
    </Card>
  )
}
