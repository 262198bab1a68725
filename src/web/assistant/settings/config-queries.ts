import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  type AssistantForm,
  getAssistantConfig,
  saveAssistantConfig,
  testAssistant,
} from '#shared/assistant/assistant-config.ts'
import { call } from '#web/platform/api/api.ts'
import { assistantKeys } from '#web/assistant/keys.ts'

export const configQuery = () =>
  queryOptions({
    queryKey: assistantKeys.config,
    queryFn: ({ signal }) => call(getAssistantConfig, { signal }),
    // A form is based on it: refetching would change its values while somebody types.
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })

export function useSaveConfig() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AssistantForm) => call(saveAssistantConfig, { body }),
    onSuccess: (saved) => client.setQueryData(configQuery().queryKey, saved),
  })
}

export type Tested = z.output<NonNullable<typeof testAssistant.reply>>
type TestBody = z.input<NonNullable<typeof testAssistant.body>>

export const useTest = () => useMutation({ mutationFn: (body: TestBody) => call(testAssistant, { body }) })
