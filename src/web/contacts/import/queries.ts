import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AskedRows,
  chooseImportRows,
  type ContactImport,
  continueContactImport,
  deleteContactImport,
  getContactImport,
  type ImportField,
  listContactImports,
  listImportErrors,
  startContactImport,
  stopContactImport,
  undoContactImport,
  uploadContactImport,
} from '#shared/contacts/contact-imports.ts'
import { call, upload } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { isBusy } from './import-texts.ts'

const all = ['contact-imports'] as const

/** While a run works, its progress is asked for once a second. */
const everySecond = 1000

export const importQueries = {
  all,

  /** The last ones, the newest first. */
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => call(listContactImports, { signal }),
      refetchInterval: ({ state: { data } }) =>
        data?.some(({ state }) => isBusy(state)) ? everySecond : false,
      staleTime: 0,
    }),

  one: (id: number) =>
    queryOptions({
      queryKey: [...all, 'one', id],
      queryFn: ({ signal }) => call(getContactImport, { params: { id }, signal }),
      refetchInterval: ({ state: { data } }) => (data && isBusy(data.state) ? everySecond : false),
      staleTime: 0,
    }),

  /** @param known how many errors there are, so that more of them are fetched */
  errors: (id: number, page: number, field: ImportField | undefined, known: number) =>
    queryOptions({
      queryKey: [...all, 'errors', id, page, field, known],
      queryFn: ({ signal }) =>
        call(listImportErrors, {
          params: { id },
          query: { page, limit: 7, ...(field && { field }) },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
}

/** Sends a file to be read, and reports how much of it has left. */
export function useUploadImport(onRead: (read: ContactImport) => void) {
  const client = useQueryClient()
  const [part, setPart] = useState(0)
  const sent = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('file', file)
      setPart(0)
      return upload(uploadContactImport, form, { signal: new AbortController().signal, onProgress: setPart })
    },
    onSuccess: (read) => {
      client.setQueryData(importQueries.one(read.id).queryKey, read)
      void client.invalidateQueries({ queryKey: importQueries.list().queryKey })
      onRead(read)
    },
  })
  return { ...sent, part }
}

/** What can be done with an import. Another person may do it at the same time: the server decides. */
export function useImportActs(id: number) {
  const client = useQueryClient()
  const options = {
    onSuccess: (now: ContactImport) => client.setQueryData(importQueries.one(id).queryKey, now),
    onError: (error: Error) => {
      toast({ tone: 'error', title: 'Erro', description: error.message })
      void client.invalidateQueries({ queryKey: importQueries.one(id).queryKey })
    },
    onSettled: () => client.invalidateQueries({ queryKey: importQueries.list().queryKey }),
  }
  const params = { id }
  const chooseRows = useMutation({
    mutationFn: (body: AskedRows) => call(chooseImportRows, { params, body }),
    ...options,
  })
  const start = useMutation({
    mutationFn: (body: Pick<ContactImport, 'mapping' | 'known'>) =>
      call(startContactImport, { params, body }),
    ...options,
  })
  const stop = useMutation({ mutationFn: () => call(stopContactImport, { params }), ...options })
  const goOn = useMutation({ mutationFn: () => call(continueContactImport, { params }), ...options })
  const undo = useMutation({ mutationFn: () => call(undoContactImport, { params }), ...options })
  const discard = useMutation({
    mutationFn: () => call(deleteContactImport, { params }),
    onError: options.onError,
    onSettled: options.onSettled,
  })
  return { chooseRows, start, stop, goOn, undo, discard }
}
