import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  blockContact,
  deleteContact,
  restoreContact,
  unblockContact,
} from '#shared/contacts/contact-changes.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { contactQueries } from './queries.ts'
import { refused } from './toast-saved.ts'

const succeeded = (description: string) => toast({ tone: 'success', title: 'Sucesso', description })

/** Deletes a contact without asking, and offers to undo that. @see specification §2 Contacts */
export function useDeleteContact() {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: contactQueries.all })
  const restore = useMutation({
    mutationFn: (id: number) => call(restoreContact, { params: { id } }),
    onError: refused('Erro ao desfazer a exclusão'),
    onSettled: refetch,
  })
  return useMutation({
    mutationFn: ({ id }: Contact) => call(deleteContact, { params: { id } }),
    onSuccess: (_nothing, { id }) =>
      toast({
        tone: 'success',
        title: 'Sucesso',
        description: 'Contato excluído com sucesso',
        action: { label: 'Desfazer', onClick: () => restore.mutate(id) },
      }),
    onError: refused('Erro ao excluir contato'),
    onSettled: refetch,
  })
}

/** Blocks a contact, or ends that. */
export function useToggleBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isBlocked }: Contact) =>
      call(isBlocked ? unblockContact : blockContact, { params: { id } }),
    onSuccess: (_contact, { isBlocked }) =>
      succeeded(isBlocked ? 'Contato desbloqueado com sucesso' : 'Contato bloqueado com sucesso'),
    onError: (error, { isBlocked }) =>
      refused(isBlocked ? 'Erro ao desbloquear contato' : 'Erro ao bloquear contato')(error),
    onSettled: () => client.invalidateQueries({ queryKey: contactQueries.all }),
  })
}
