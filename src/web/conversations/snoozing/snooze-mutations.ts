import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { resumeConversation, snoozeConversation } from '#shared/conversations/snooze.ts'
import { call } from '#web/platform/api/api.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { Acted } from '#web/conversations/mutations/conversation-mutations.ts'

/** 'Lembrar'. Refused when somebody else has it by now than this screen showed. */
export function useSnooze({ id, assignedUserId: holderId }: Acted) {
  return useShown(
    id,
    ({ signal, ...body }: { until: string; reason: string; seenMessageId?: number; signal: AbortSignal }) =>
      call(snoozeConversation, { params: { id }, body: { ...body, holderId }, signal }),
  )
}

/** 'Retomar agora'. */
export function useResume({ id }: Pick<Acted, 'id'>) {
  return useShown(id, () => call(resumeConversation, { params: { id } }))
}

function useShown<Body>(id: number, act: (body: Body) => Promise<{ conversation: Conversation }>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    // Without the network it fails at once: done later it would be another time than was chosen.
    networkMode: 'always',
    onSuccess: ({ conversation }) => patchConversation(client, id, conversation),
    onError: () => client.invalidateQueries({ queryKey: conversationQueries.one(id).queryKey }),
  })
}
