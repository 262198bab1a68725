import { queryOptions } from '@tanstack/react-query'
import {
  getMediaSettings,
  getQuickResponseFile,
  getSystemSettings,
} from '#shared/settings/settings-endpoints.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { callForFile, call } from '#web/platform/api/api.ts'

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

/** @throws ApiError, NetworkError as every call */
export async function fetchQuickResponseFile({ name, fileName, mimeType }: QuickResponseFile): Promise<File> {
  const bytes = await callForFile(getQuickResponseFile, { params: { name } })
  return new File([bytes], fileName, { type: mimeType })
}
