import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { MaintenanceRun } from '#shared/maintenance/maintenance.ts'
import { toast } from '#web/ui/states/toast.ts'
import { isBusy } from './run-words.ts'

/** Reports how a restore has ended that was seen at work, and fetches anew what runs have changed. */
export function useRunEnds(runs: readonly MaintenanceRun[] | undefined): void {
  const client = useQueryClient()
  const working = useRef(new Set<string>())
  const onEnd = useEffectEvent((run: MaintenanceRun) => {
    if (run.kind === 'restore') tell(run)
    // Settings, categories, the gateway, contacts, companies, conversations: nearly everything on any screen.
    if (run.kind !== 'backup' && run.kind !== 'preview') void client.invalidateQueries()
  })
  useEffect(() => {
    for (const run of runs ?? []) {
      if (isBusy(run)) working.current.add(run.id)
      else if (working.current.delete(run.id)) onEnd(run)
    }
  }, [runs])
}

function tell({ state, error }: MaintenanceRun): void {
  if (state === 'done') toast({ title: 'Restauração concluída', description: 'Os dados já estão aqui.' })
  else if (state === 'cancelled')
    toast({ tone: 'info', title: 'Restauração parada', description: 'Nada mudou.' })
  else toast({ tone: 'error', title: 'Erro no restore', description: error ?? 'Falha no restore' })
}
