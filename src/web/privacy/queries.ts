import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Contact } from '#shared/contacts/contacts.ts'
import { anonymizeContact, exportPersonalData, listPrivacyRequests } from '#shared/maintenance/privacy.ts'
import { call, callForFile, isDeclined } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'

const all = ['privacy-requests'] as const

/** A page of the register, newest first. The page before stays until the next one has come. */
export const privacyRequestsPage = (page: number, limit: number) =>
  queryOptions({
    queryKey: [...all, page, limit],
    queryFn: ({ signal }) => call(listPrivacyRequests, { query: { page, limit }, signal }),
    placeholderData: keepPreviousData,
  })

/** Downloads all that there is about a contact. */
export function useExportPersonalData() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: Contact) => {
      const zip = await callForFile(exportPersonalData, { params: { id } })
      const url = URL.createObjectURL(zip)
      const link = document.createElement('a')
      link.href = url
      link.download = `dados-do-contato-${id}.zip`
      link.click()
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    onSuccess: () => toast({ tone: 'success', title: 'Sucesso', description: 'Dados do contato exportados' }),
    onError: (error) => {
      if (!isDeclined(error)) toast({ tone: 'error', title: 'Erro ao exportar', description: error.message })
    },
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}

/** Anonymizes a contact. What any screen shows of them is fetched again. */
export function useAnonymize({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(anonymizeContact, { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries()
      toast({ tone: 'success', title: 'Contato anonimizado' })
      onDone()
    },
    onError: (error) => {
      if (!isDeclined(error))
        toast({ tone: 'error', title: 'Erro ao anonimizar', description: error.message })
    },
  })
}
