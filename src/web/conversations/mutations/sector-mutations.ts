import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setSector, transferToSector } from '#shared/sectors/conversation-sector.ts'
import { call } from '#web/platform/api/api.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { Acted } from './conversation-mutations.ts'

/** To the queue of a sector; the person may know of it no longer. */
export function useTransferToSector({ id, assignedUserId: holderId }: Acted) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { sectorId: number; note: string; endsSnooze?: boolean }) =>
      call(transferToSector, { params: { id }, body: { ...body, holderId } }),
    onSettled: () => client.invalidateQueries({ queryKey: conversationQueries.one(id).queryKey }),
  })
}

/** Says of which sector it is; whoever has it keeps it. */
export function useSetSector({ id, assignedUserId: holderId }: Acted) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sectorId: number | null) =>
      call(setSector, { params: { id }, body: { sectorId, holderId } }),
    onSettled: () => client.invalidateQueries({ queryKey: conversationQueries.one(id).queryKey }),
  })
}
