import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Contact } from '#shared/contacts/contacts.ts'
import {
  keepContactsApart,
  listDuplicates,
  listMerges,
  mergeContact,
  undoMerge,
} from '#shared/contacts/contact-merges.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { refused } from '#web/contacts/toast-saved.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'

export const mergeQueries = {
  duplicates: () =>
    queryOptions({
      queryKey: [...contactQueries.all, 'duplicates'],
      queryFn: ({ signal }) => call(listDuplicates, { signal }),
    }),
  merges: () =>
    queryOptions({
      queryKey: [...contactQueries.all, 'merges'],
      queryFn: ({ signal }) => call(listMerges, { signal }),
    }),
}

const done = (description: string) => toast({ tone: 'success', title: 'Sucesso', description })

export type Pair = Record<'kept' | 'other', Pick<Contact, 'id' | 'name'>>

/** Merges the other contact into the one that is kept, which can be undone. */
export function useMerge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kept, other }: Pair) =>
      call(mergeContact, { params: { id: kept.id }, body: { otherId: other.id } }),
    onSuccess: (_contact, { kept }) =>
      done(`Contatos juntados em ${kept.name}. Dá para desfazer por um dia.`),
    onError: refused('Erro ao juntar contatos'),
    onSettled: () => client.invalidateQueries({ queryKey: contactQueries.all }),
  })
}

export function useKeepApart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ([one, other]: readonly [Contact, Contact]) =>
      call(keepContactsApart, { params: { id: one.id }, body: { otherId: other.id } }),
    onSuccess: () => done('Não serão mais sugeridos como a mesma pessoa'),
    onError: refused('Erro ao separar contatos'),
    onSettled: () => client.invalidateQueries({ queryKey: mergeQueries.duplicates().queryKey }),
  })
}

export function useUndoMerge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(undoMerge, { params: { id } }),
    onSuccess: () => done('Junção desfeita'),
    onError: refused('Erro ao desfazer a junção'),
    onSettled: () => client.invalidateQueries({ queryKey: contactQueries.all }),
  })
}
