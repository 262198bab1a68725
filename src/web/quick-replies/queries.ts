import { queryOptions } from '@tanstack/react-query'
import { getQuickReplyFile, listQuickReplies } from '#shared/quick-replies/quick-replies.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { call, callForFile } from '#web/platform/api/api.ts'
import { replyKeys } from './live.ts'

export const replyQueries = {
  /** The person's own quick replies and those of their sectors, and how often each was sent. */
  known: () =>
    queryOptions({
      queryKey: [...replyKeys.all, 'known'],
      queryFn: ({ signal }) => call(listQuickReplies, { signal }),
      // How often they are sent is not pushed.
      staleTime: 60_000,
    }),
}

/** @throws ApiError, NetworkError as every call */
export async function fetchReplyFile(
  id: number,
  { fileName, mimeType }: Pick<QuickResponseFile, 'fileName' | 'mimeType'>,
): Promise<File> {
  const bytes = await callForFile(getQuickReplyFile, { params: { id } })
  return new File([bytes], fileName, { type: mimeType })
}
