import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createEvolutionConfig,
  getEvolutionConfig,
  getEvolutionStatus,
  testEvolutionConfig,
  updateEvolutionConfig,
  type EvolutionConfig,
  type EvolutionConfigChange,
} from '#shared/gateway/gateway.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { call } from '#web/platform/api/api.ts'
import { gatewayKeys } from './pushed.ts'

const { all } = gatewayKeys

export const gatewayQueries = {
  all,

  config: () =>
    queryOptions({
      queryKey: [...all, 'config'],
      queryFn: ({ signal }) => call(getEvolutionConfig, { signal }),
      // A form is based on it: refetching would change its values while the user types.
      refetchInterval: false,
      refetchOnWindowFocus: false,
    }),

  /**
   * Of a number, undefined for the main one. Fresh for 30 s, refetched every 60.
   * @see specification §9 Refresh
   */
  status: (id: number | undefined) =>
    queryOptions({
      queryKey: [...gatewayKeys.status, 'now', id],
      queryFn: ({ signal }) => call(getEvolutionStatus, { query: id === undefined ? {} : { id }, signal }),
      staleTime: 30_000,
      refetchInterval: 60_000,
    }),
}

type SavedConfig = EvolutionConfig & { isBack?: boolean }

/** Creates the connection, or changes the one with this id. */
export function useSaveConfig(id: number | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ webhookUrl, ...form }: EvolutionConfigChange): Promise<SavedConfig> => {
      // Blank means our own URL, which the server determines.
      const body = webhookUrl ? { ...form, webhookUrl } : form
      return id === undefined
        ? call(createEvolutionConfig, { body })
        : call(updateEvolutionConfig, { params: { id }, body })
    },
    onSuccess: (saved) => {
      client.setQueryData(gatewayQueries.config().queryKey, (known) =>
        !known || known.id === saved.id ? saved : known,
      )
      void client.invalidateQueries({ queryKey: numbersQuery().queryKey })
      return client.invalidateQueries({ queryKey: gatewayKeys.status })
    },
  })
}

export function useTestConfig() {
  return useMutation({
    mutationFn: (body: { baseUrl: string; apiKey: string; id?: number }) =>
      call(testEvolutionConfig, { body }),
  })
}
