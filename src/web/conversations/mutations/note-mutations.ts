import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteNote, editNote } from '#shared/messages/notes.ts'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { call } from '#web/platform/api/api.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'

/** A call without an answer counts as failed after this time. */
const patienceMs = 30_000

export function useEditNote(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ messageId, ...body }: { messageId: number; content: string; mentions?: Mention[] }) =>
      call(editNote, {
        params: { id: conversationId, messageId },
        body,
        signal: AbortSignal.timeout(patienceMs),
      }),
    onSuccess: (note) => patchMessage(client, note),
  })
}

export function useDeleteNote(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (messageId: number) =>
      call(deleteNote, {
        params: { id: conversationId, messageId },
        signal: AbortSignal.timeout(patienceMs),
      }),
    onSuccess: (note) => patchMessage(client, note),
  })
}
