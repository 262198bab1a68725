import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { deleteMessage, editMessage } from '#shared/messages/message-changes.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'

interface Edit {
  messageId: number
  content: string
}

function editKey(conversationId: number) {
  return ['edit', conversationId]
}

/** Edits messages of a conversation, one after the other. A refused text is kept: see `refusedEdit`. */
export function useEditMessage(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: editKey(conversationId),
    scope: { id: `edit-${conversationId}` },
    gcTime: Infinity,
    mutationFn: ({ messageId, content }: Edit) =>
      // A call without an answer counts as failed after this time.
      call(editMessage, {
        params: { id: conversationId, messageId },
        body: { content },
        signal: AbortSignal.timeout(60_000),
      }),
    onSuccess: (message) => patchMessage(client, message),
    onError: ({ message }) =>
      toast({
        tone: 'error',
        title: 'Erro ao editar mensagem',
        description: `${message} Em 'Editar', o novo texto continua lá.`,
      }),
  })
}

/** The pending edits by message id, shown before WhatsApp has them. */
export function usePendingEdits(conversationId: number): ReadonlyMap<number, string> {
  const pending = useMutationState({
    filters: { mutationKey: editKey(conversationId), status: 'pending' },
    select: ({ state }) => state.variables as Edit,
  })
  return useMemo(() => new Map(pending.map(({ messageId, content }) => [messageId, content])), [pending])
}

/** The text of a message's last edit, if that was refused. */
export function refusedEdit(client: QueryClient, conversationId: number, messageId: number) {
  const last = client
    .getMutationCache()
    .findAll({ mutationKey: editKey(conversationId) })
    .findLast(({ state }) => (state.variables as Edit | undefined)?.messageId === messageId)
  return last?.state.status === 'error' ? (last.state.variables as Edit).content : undefined
}

/** Deletes a message for everyone. */
export function useDeleteMessage(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (messageId: number) =>
      call(deleteMessage, {
        params: { id: conversationId, messageId },
        signal: AbortSignal.timeout(60_000),
      }),
    onSuccess: (message) => patchMessage(client, message),
  })
}
