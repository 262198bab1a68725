import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useDeleteConversation } from '#web/conversations/mutations/conversation-mutations.ts'
import { listAddress } from '#web/conversations/cache/list-place.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { NewerMessage, useSeenMessage } from './seen-message.tsx'

/** Asks for confirmation before a conversation is deleted with all its messages. */
export function DeleteConversationDialog({
  conversation,
  backTo,
  onClose,
}: {
  conversation: Conversation
  /** The address of the list that it was opened from; by default that of the active ones. */
  backTo?: string
  onClose: () => void
}) {
  const { id, contact, protocol, messageCount } = conversation
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const seen = useSeenMessage(conversation)
  // A finished one is not shown whole, and nobody waits in it for an answer.
  const seenId = conversation.status === 'completed' ? undefined : seen.id
  const { mutateAsync, isPending } = useDeleteConversation(id, seenId)
  // Awaits the promise rather than using callbacks: the push may arrive first and unmount this dialog.
  const remove = () =>
    mutateAsync().then(
      () => {
        navigate(backTo ?? listAddress())
        patchConversation(client, id, null)
        toast({
          tone: 'success',
          title: 'Conversa excluída com sucesso!',
          description: 'A conversa foi removida permanentemente.',
        })
      },
      async (error: unknown) => {
        if (await seen.takeNewer(error)) return
        toast({
          tone: 'error',
          title: 'Erro ao excluir conversa',
          description:
            (error instanceof ApiError && error.userMessage) ||
            'Não foi possível excluir a conversa. Tente novamente.',
        })
      },
    )
  return (
    <DeleteDialog
      title="Excluir Conversa"
      description={`${contact.name} · protocolo ${protocol}`}
      isDeleting={isPending}
      onDelete={() => void remove()}
      onClose={onClose}
      notice={<NewerMessage newer={seen.newer} />}
    >
      A exclusão é permanente e irreversível: {lossOf(messageCount)} Só o contato permanece.
    </DeleteDialog>
  )
}

function lossOf(count: number) {
  return count > 1
    ? `todas as ${count} mensagens desta conversa serão perdidas.`
    : 'todas as mensagens desta conversa serão perdidas.'
}
