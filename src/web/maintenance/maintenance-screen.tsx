import { useQuery } from '@tanstack/react-query'
import { BackupsCard } from '#web/maintenance/backups/backups-card.tsx'
import { CleanupCard } from '#web/maintenance/cleanup/cleanup-card.tsx'
import { PlanCard } from '#web/maintenance/plan/plan-card.tsx'
import { useRunEnds } from '#web/maintenance/runs/use-run-ends.ts'
import { StorageFigures } from '#web/maintenance/storage/storage-figures.tsx'
import { StorageKinds } from '#web/maintenance/storage/storage-kinds.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useCan } from '#web/users/users.tsx'
import { maintenanceQueries } from './queries.ts'
import { useZonedDates } from './zone.ts'

/** `/maintenance`: storage, backups and cleanup. Administrators only. @see specification §2 Maintenance */
export function MaintenanceScreen() {
  return useCan('accessMaintenance') ? <Maintenance /> : <DeniedState isPage />
}

function Maintenance() {
  const { data: stats, error, isFetching, refetch } = useQuery(maintenanceQueries.stats())
  const { dates, zoneName } = useZonedDates()
  const backups = useQuery(maintenanceQueries.backups())
  useRunEnds(stats?.runs)
  return (
    <Page title="Manutenção" subtitle="Armazenamento, backups e limpeza">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {/* First what is asked first: whether there is a backup, and whether it was proved to be one. */}
        <BackupsCard stats={stats} dates={dates} />
        {/* The list has as many rows as it has, so what stands below it comes when it is known. */}
        {!backups.isPending && (
          <>
            {!stats && error ? (
              <Card>
                <ErrorState
                  title="Falha ao buscar estatísticas"
                  description={error.message}
                  isRetrying={isFetching}
                  onRetry={() => void refetch()}
                />
              </Card>
            ) : (
              <>
                <StorageFigures stats={stats} dates={dates} />
                <StorageKinds stats={stats} />
              </>
            )}
            <CleanupCard stats={stats} dates={dates} />
            <PlanCard stats={stats} dates={dates} zoneName={zoneName} />
          </>
        )}
      </div>
    </Page>
  )
}
