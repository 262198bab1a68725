import { useQuery } from '@tanstack/react-query'
import { Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Backup, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { maintenanceQueries, useCreateBackup } from '#web/maintenance/queries.ts'
import { RestoreDialog } from '#web/maintenance/restore/restore-dialog.tsx'
import { LastRun } from '#web/maintenance/runs/last-run.tsx'
import { RunProgress } from '#web/maintenance/runs/run-progress.tsx'
import { busyRun, endedRun, isBusy } from '#web/maintenance/runs/run-words.ts'
import { counted } from '#web/maintenance/words.ts'
import { backupNameAt } from '#web/maintenance/zone.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { BackupRow } from './backup-row.tsx'
import { BackupTable, BackupTableSkeleton, NoBackups } from './backup-table.tsx'
import { DeleteBackupDialog } from './delete-backup-dialog.tsx'

type Asked = { kind: 'restore' | 'delete'; backup: Backup }

/** 'Backup e restauração': what works now, and the backups. @see specification §2 Maintenance */
export function BackupsCard({ stats, dates }: { stats: MaintenanceStats | undefined; dates: ZonedDates }) {
  const { data, error, isFetching, refetch } = useQuery(maintenanceQueries.backups())
  const create = useCreateBackup()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  // A preview that was asked for in the dialog is followed there.
  const kinds = ['backup', 'restore', ...(asked?.kind === 'restore' ? [] : (['preview'] as const))] as const
  const run = busyRun(stats?.runs, kinds)
  const isLocked = stats?.runs.some(isBusy) ?? false
  return (
    <Card
      title="Backup e restauração"
      className="overflow-hidden"
      actions={
        <Button
          variant="primary"
          icon={Plus}
          disabled={isLocked}
          isBusy={create.isPending}
          busyLabel="Criando..."
          onClick={() => create.mutate(backupNameAt(serverNow(), dates))}
        >
          Criar backup
        </Button>
      }
    >
      {run && <RunProgress run={run} dates={dates} />}
      {data ? (
        data.length > 0 ? (
          <BackupTable>
            {data.map((backup) => (
              <BackupRow
                key={backup.id}
                backup={backup}
                dates={dates}
                isLocked={isLocked}
                onRestore={() => setAsked({ kind: 'restore', backup })}
                onDelete={() => setAsked({ kind: 'delete', backup })}
              />
            ))}
          </BackupTable>
        ) : (
          <NoBackups />
        )
      ) : error ? (
        <ErrorState
          title="Falha ao buscar backups"
          description={error.message}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <BackupTableSkeleton />
      )}
      {(data ?? error) && (
        <footer className="grid gap-1 border-t border-line px-4 py-2.5 text-xs text-ink-3">
          <LastProof proof={stats?.lastProof} dates={dates} />
          <LastRun run={endedRun(stats?.runs, 'restore')} dates={dates} />
          <p>Conversas abertas ficam de fora do backup e da restauração.</p>
        </footer>
      )}
      {asked?.kind === 'restore' && <RestoreDialog backup={asked.backup} dates={dates} onClose={close} />}
      {asked?.kind === 'delete' && <DeleteBackupDialog backup={asked.backup} onClose={close} />}
    </Card>
  )
}

/** When a backup was last read back, and what that covered. */
function LastProof({
  proof,
  dates,
}: {
  proof: MaintenanceStats['lastProof'] | undefined
  dates: ZonedDates
}) {
  // The line is there from the beginning, so that what stands below does not move.
  if (!proof) return <p>{proof === null ? 'Nenhum backup foi conferido ainda' : '\u00a0'}</p>
  const { at, rows, files, name } = proof
  return (
    <p className="flex gap-1.5 text-green-text" title={name}>
      <ShieldCheck size={14} aria-hidden className="mt-px flex-none" />
      <span className="tabular-nums">
        Último backup conferido em {dates.dateTime(at)}: {counted(rows, 'linha', 'linhas')} e{' '}
        {counted(files, 'arquivo', 'arquivos')} restaurados à parte e comparados
      </span>
    </p>
  )
}
