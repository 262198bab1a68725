import { useQuery } from '@tanstack/react-query'
import type { MaintenanceRun } from '#shared/maintenance/maintenance.ts'
import { maintenanceQueries } from '#web/maintenance/queries.ts'
import { isBusy } from '#web/maintenance/runs/run-words.ts'

/** While somebody waits for it in front of the screen. */
const waitingMs = 1000

/**
 * Follows a preview by the polled statistics, which have the last run of each kind.
 * @param started as it was answered
 */
export function usePreviewRun(started: MaintenanceRun | undefined) {
  const isIt = ({ id }: MaintenanceRun) => id === started?.id
  const { data } = useQuery({
    ...maintenanceQueries.stats(),
    // Otherwise the polls of the screen will do.
    refetchInterval: ({ state }) =>
      started && isBusy(state.data?.runs.find(isIt) ?? started) ? waitingMs : false,
  })
  const run = data?.runs.find(isIt)
  const isReplaced = !run && started && data?.runs.some(({ kind }) => kind === started.kind)
  return isReplaced ? { isReplaced } : { run: run ?? started, isReplaced: false }
}
