import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createQuickReply,
  deleteQuickReply,
  importQuickReplies,
  type NewReply,
  type ReplyChange,
  type ReplyImport,
  updateQuickReply,
  uploadQuickReplyFile,
} from '#shared/quick-replies/managed-replies.ts'
import { call, uploadFile } from '#web/platform/api/api.ts'
import { replyKeys } from '#web/quick-replies/quick-replies.tsx'

/** Also after a refusal: a colleague may have changed something. */
function useRefetch() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: replyKeys.all })
}

/** A new quick reply, or a change of the given one. */
export function useSaveReply(id: number | undefined) {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({ version, ...body }: NewReply & Pick<ReplyChange, 'version'>): Promise<void> => {
      if (id === undefined) await call(createQuickReply, { body })
      else await call(updateQuickReply, { params: { id }, body: { ...body, version } })
    },
    // The new one is shown before its dialog closes.
    onSettled: refetch,
  })
}

export function useDeleteReply() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: number) => call(deleteQuickReply, { params: { id } }),
    onSettled: () => void refetch(),
  })
}

export function useImportReplies() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (body: ReplyImport) => call(importQuickReplies, { body }),
    onSettled: refetch,
  })
}

/** Uploads the file of a quick reply; it belongs to it once the reply is saved. */
export function useUploadReplyFile() {
  return useMutation({ mutationFn: (file: File) => uploadFile(uploadQuickReplyFile, file) })
}
