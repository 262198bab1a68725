import type { Account } from '#shared/users/accounts.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useDeleteAccount } from './queries.ts'

/** 'Excluir Usuário': says what becomes of the person's conversations. */
export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { mutateAsync, isPending } = useDeleteAccount()
  const remove = () =>
    mutateAsync(account.id).then(
      () => {
        toast({ tone: 'success', title: 'Usuário excluído com sucesso' })
        onClose()
      },
      (error: Error) =>
        toast({
          tone: 'error',
          title: 'Erro ao excluir usuário',
          ...(error instanceof ApiError && { description: error.userMessage }),
        }),
    )
  return (
    <DeleteDialog
      title="Excluir Usuário"
      description={`${account.name} (@${account.username})`}
      isDeleting={isPending}
      onDelete={() => void remove()}
      onClose={onClose}
    >
      {account.name} não entra mais. {openText(account.activeConversations)} O que já atendeu fica no
      histórico, com o nome; as visões e respostas rápidas que só esta pessoa vê são excluídas.
    </DeleteDialog>
  )
}

function openText(count: number): string {
  if (count === 0) return 'Não tem conversas abertas.'
  return count === 1 ? '1 conversa aberta volta à fila.' : `${count} conversas abertas voltam à fila.`
}
