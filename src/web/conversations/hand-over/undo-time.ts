import { useQuery } from '@tanstack/react-query'
import { settingsQueries } from '#web/settings/settings.tsx'

/** For how long it is offered to undo a finalization, in milliseconds; 0: not at all. */
export function useUndoMs(): number {
  const { data } = useQuery(settingsQueries.system())
  return (data?.undoFinalizeSeconds ?? 5) * 1000
}
