import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createReason,
  deleteReason,
  listManagedReasons,
  type ManagedReason,
  type NewReason,
  orderReasons,
  type ReasonChange,
  updateReason,
} from '#shared/reasons/managed-reasons.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { reasonKeys } from '#web/reasons/reasons.tsx'
import { toast } from '#web/ui/states/toast.ts'

export const managedReasons = () =>
  queryOptions({
    queryKey: [...reasonKeys.all, 'managed'],
    queryFn: ({ signal }) => call(listManagedReasons, { signal }),
  })

/** Also after a refusal: a colleague may have changed something. */
function useRefetch() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: reasonKeys.all })
}

/** A new reason, or a change of the given one. */
export function useSaveReason(id: number | undefined) {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async (body: NewReason & ReasonChange): Promise<void> => {
      if (id === undefined) await call(createReason, { body })
      else await call(updateReason, { params: { id }, body })
    },
    // The new one is shown before its dialog closes.
    onSettled: refetch,
  })
}

export function useSwitchReason() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: ({ id, isActive }: { id: number; isActive: boolean }) =>
      call(updateReason, { params: { id }, body: { isActive } }),
    onError: (error) => toast({ tone: 'error', title: `O motivo não foi mudado: ${reasonOf(error)}` }),
    onSettled: () => void refetch(),
  })
}

export function useDeleteReason() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: number) => call(deleteReason, { params: { id } }),
    onSettled: () => void refetch(),
  })
}

/** Shows another order of a level at once, and stores it. Orders are sent one after another. */
export function useOrderReasons() {
  const client = useQueryClient()
  const refetch = useRefetch()
  const { queryKey } = managedReasons()
  return useMutation({
    scope: { id: 'reason-order' },
    mutationFn: (body: { parentId: number | null; ids: number[] }) => call(orderReasons, { body }),
    onMutate: ({ parentId, ids }) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && inOrder(known, parentId, ids))
    },
    onError: (error) => toast({ tone: 'error', title: `A ordem não foi salva: ${reasonOf(error)}` }),
    onSettled: () => void refetch(),
  })
}

function inOrder(known: readonly ManagedReason[], parentId: number | null, ids: readonly number[]) {
  const level = known.filter((one) => one.parentId === parentId)
  const others = known.filter((one) => one.parentId !== parentId)
  return [...level.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), ...others]
}
