import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  saveMediaSettings,
  saveSystemSettings,
  type SettingsChange,
  uploadQuickResponseFile,
} from '#shared/settings/settings-endpoints.ts'
import { call, uploadFile } from '#web/platform/api/api.ts'
import { settingsQueries } from './queries.ts'

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
  return useMutation({ mutationFn: (file: File) => uploadFile(uploadQuickResponseFile, file) })
}
