import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  getMediaSettings,
  getQuickResponseFile,
  getSystemSettings,
  saveMediaSettings,
  saveSystemSettings,
  type QuickResponseFile,
  type SettingsChange,
  uploadQuickResponseFile,
} from '#shared/settings/settings.ts'
import { callForFile, call, upload } from '#web/platform/api/api.ts'

const freshMs = 60_000

export const settingsQueries = {
  /** The settings the user may see. @see specification §7 GET /api/system-settings */
  system: () =>
    queryOptions({
      queryKey: ['system-settings'],
      queryFn: ({ signal }) => call(getSystemSettings, { signal }),
      staleTime: freshMs,
    }),

  /** How files are stored. @see specification §7 GET /api/media-settings */
  media: () =>
    queryOptions({
      queryKey: ['media-settings'],
      queryFn: ({ signal }) => call(getMediaSettings, { signal }),
      staleTime: freshMs,
    }),
}

/** Changes some of the settings; returns all of them. */
export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange) => call(saveSystemSettings, { body }),
    onSuccess: (saved) => {
      const { queryKey } = settingsQueries.system()
      client.setQueryData(queryKey, (known) => known && { ...known, ...saved })
      // Whether the team is open now is computed by the server.
      void client.invalidateQueries({ queryKey })
    },
  })
}

/** Changes the text about a rejected file. */
export function useSaveMediaSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (blockedFileMessage: string) => call(saveMediaSettings, { body: { blockedFileMessage } }),
    onSuccess: (saved) => {
      client.setQueryData(settingsQueries.media().queryKey, saved)
      void client.invalidateQueries({ queryKey: settingsQueries.system().queryKey })
    },
  })
}

/** Uploads the file of a quick response; it is attached when the settings are saved. */
export function useUploadQuickResponseFile() {
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('file', file)
      const signal = new AbortController().signal
      return upload(uploadQuickResponseFile, form, { signal, onProgress: () => undefined })
    },
  })
}

/** @throws ApiError, NetworkError as every call */
export async function fetchQuickResponseFile({ name, fileName, mimeType }: QuickResponseFile): Promise<File> {
  const bytes = await callForFile(getQuickResponseFile, { params: { name } })
  return new File([bytes], fileName, { type: mimeType })
}
