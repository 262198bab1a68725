import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ConversationAssistant,
  getConversationAssistant,
  suggestReply,
  summarizeConversation,
  switchAssistant,
} from '#shared/assistant/conversation-assistant.ts'
import { call } from '#web/platform/api/api.ts'
import { useCan } from '#web/users/users.tsx'
import { assistantKeys } from '#web/assistant/keys.ts'

const inConversation = (id: number) =>
  queryOptions({
    queryKey: assistantKeys.inConversation(id),
    queryFn: ({ signal }) => call(getConversationAssistant, { params: { id }, signal }),
    staleTime: 60_000,
    refetchInterval: false,
    // It only offers something: without it the chat is as it is without the AI.
    retry: false,
  })

const nothing: ConversationAssistant = {
  agent: 'none',
  agentName: '',
  canSummarize: false,
  canSuggest: false,
}

/** What the AI does in an open conversation, for whoever may write there; nothing until it is known. */
export function useAssistantIn(id: number | undefined): ConversationAssistant {
  const canReply = useCan('reply')
  const { data } = useQuery({ ...inConversation(id ?? 0), enabled: canReply && id !== undefined })
  return (canReply && data) || nothing
}

/** Switches the agent off or on in a conversation. */
export function useSwitchAssistant(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOff: boolean) => call(switchAssistant, { params: { id }, body: { isOff } }),
    onSuccess: (state) => client.setQueryData(inConversation(id).queryKey, state),
  })
}

export const fetchSummary = (id: number, signal: AbortSignal) =>
  call(summarizeConversation, { params: { id }, signal })

export const fetchSuggestion = async (id: number, signal: AbortSignal) =>
  (await call(suggestReply, { params: { id }, signal })).text
