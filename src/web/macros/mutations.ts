import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createMacro,
  deleteMacro,
  type NewMacro,
  updateMacro,
  uploadMacroFile,
} from '#shared/macros/managed-macros.ts'
import { call, uploadFile } from '#web/platform/api/api.ts'
import { macroKeys } from './live.ts'

/** Also after a refusal: a colleague may have changed something. */
function useRefetch() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: macroKeys.all })
}

/** A new macro, or a change of the one that is named. @returns its id, and the version of a changed one */
export function useSaveMacro() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({ id, version, ...body }: NewMacro & { id?: number; version?: number }) => {
      if (id === undefined) return { ...(await call(createMacro, { body })), version: undefined }
      return { id, ...(await call(updateMacro, { params: { id }, body: { ...body, version } })) }
    },
    // It is known before it is shown.
    onSettled: refetch,
  })
}

export function useDeleteMacro() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: number) => call(deleteMacro, { params: { id } }),
    onSettled: () => void refetch(),
  })
}

/** The file of a step, which the macro has from when it is saved. */
export function useUploadStepFile() {
  return useMutation({ mutationFn: (file: File) => uploadFile(uploadMacroFile, file) })
}
