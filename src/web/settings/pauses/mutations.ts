import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createPauseReasons,
  deletePauseReason,
  orderPauseReasons,
  type PauseReason,
  type PauseReasonChange,
  type PauseReasonForm,
  suggestedReasons,
  updatePauseReason,
} from '#shared/workday/pauses.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { pauseKeys, pauseQuery } from '#web/users/users.tsx'

/** A change of the reasons, after which they are fetched again; also after a refusal. */
function useReasonChange<Given, Made = unknown>(
  mutationFn: (given: Given) => Promise<Made>,
  failed?: string,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: pauseKeys.all }),
    ...(failed !== undefined && {
      onError: ({ message }: Error) =>
        toast({ tone: 'error', title: failed, ...(message && { description: message }) }),
    }),
  })
}

/** Creates a reason, or changes the one with the id. */
export const useSaveReason = (id: number | undefined) =>
  useReasonChange((values: PauseReasonForm | PauseReasonChange) =>
    id === undefined
      ? call(createPauseReasons, { body: { reasons: [values as PauseReasonForm] } })
      : call(updatePauseReason, { params: { id }, body: values }),
  )

export const useSwitchReason = () =>
  useReasonChange(
    ({ id, isActive }: Pick<PauseReason, 'id' | 'isActive'>) =>
      call(updatePauseReason, { params: { id }, body: { isActive } }),
    'Falha ao mudar o motivo de pausa',
  )

export const useSuggestReasons = () =>
  useReasonChange(
    (_nothing: void) => call(createPauseReasons, { body: { reasons: [...suggestedReasons] } }),
    'Falha ao criar os motivos de pausa',
  )

export const useDeleteReason = () =>
  useReasonChange(
    (id: number) => call(deletePauseReason, { params: { id } }),
    'Falha ao excluir o motivo de pausa',
  )

/** The new order is shown at once. */
export function useOrderReasons() {
  const client = useQueryClient()
  const { mutate } = useReasonChange(
    (ids: number[]) => call(orderPauseReasons, { body: { ids } }),
    'Falha ao mudar a ordem',
  )
  return (ids: number[]) => {
    client.setQueryData(pauseQuery.queryKey, (before) =>
      before?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    )
    mutate(ids)
  }
}
