import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createView,
  deleteView,
  type NewView,
  orderViews,
  updateView,
  type ViewChange,
} from '#shared/views/managed-views.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { viewKeys } from './live.ts'
import { viewQueries } from './queries.ts'

/** Also after a refusal: a colleague may have changed something. */
function useRefetch() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: viewKeys.all })
}

/** @returns in its answer the id of the new view */
export function useCreateView() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (body: NewView) => call(createView, { body }),
    // The new one is known before it is shown.
    onSettled: refetch,
  })
}

export function useChangeView() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: ({ id, ...body }: ViewChange & { id: number }) => call(updateView, { params: { id }, body }),
    onSettled: refetch,
  })
}

export function useDeleteView() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: number) => call(deleteView, { params: { id } }),
    onSettled: () => void refetch(),
  })
}

/** Shows another order of the person's at once, and stores it. Orders are sent one after another. */
export function useOrderViews() {
  const client = useQueryClient()
  const { queryKey } = viewQueries.seen()
  return useMutation({
    scope: { id: 'view-order' },
    mutationFn: (ids: number[]) => call(orderViews, { body: { ids } }),
    onMutate: (ids) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) =>
        known?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
      )
    },
    onError: (error) => {
      toast({ tone: 'error', title: `A ordem não foi salva: ${reasonOf(error)}` })
      void client.invalidateQueries({ queryKey })
    },
  })
}
