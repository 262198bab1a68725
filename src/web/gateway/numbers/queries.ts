import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteNumber, listManagedNumbers, type ManagedNumber } from '#shared/gateway/gateway.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { call } from '#web/platform/api/api.ts'
import { gatewayKeys } from '#web/gateway/pushed.ts'

/** The numbers of the installation, the main one first. Pushed events have them fetched again. */
const managedNumbersQuery = () =>
  queryOptions({
    queryKey: gatewayKeys.numbers,
    queryFn: ({ signal }) => call(listManagedNumbers, { signal }),
  })

export const useManagedNumbers = () => useQuery(managedNumbersQuery())

/** Shows a number as the server has just answered. */
export function useShowNumber() {
  const client = useQueryClient()
  return (number: ManagedNumber) =>
    client.setQueryData(managedNumbersQuery().queryKey, (numbers) =>
      numbers?.map((one) => (one.id === number.id ? number : one)),
    )
}

export function useDeleteNumber() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteNumber, { params: { id } }),
    onSuccess: (_nothing, id) => {
      client.setQueryData(managedNumbersQuery().queryKey, (numbers) =>
        numbers?.filter((number) => number.id !== id),
      )
      void client.invalidateQueries({ queryKey: numbersQuery().queryKey })
    },
    onSettled: () => client.invalidateQueries({ queryKey: gatewayKeys.all }),
  })
}
