import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { tagConversation } from '#shared/tags/conversation-tags.ts'
import { call } from '#web/platform/api/api.ts'
import { tagKeys } from '#web/tags/tags.tsx'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { type TagChange, TagsDialog } from './tags-dialog.tsx'

/** Chooses the tags of one conversation. */
export function TagOne({
  conversation,
  onTagged,
  onClose,
}: {
  conversation: Conversation
  onTagged?: () => void
  onClose: () => void
}) {
  const client = useQueryClient()
  // With the tags as they were when the dialog covered them, or a colleague's would be taken for a choice.
  const [seen] = useState(conversation)
  const { id } = conversation
  const { mutate, isPending } = useMutation({
    mutationFn: (body: TagChange) => call(tagConversation, { params: { id }, body }),
    onSuccess: ({ conversation: tagged }) => {
      patchConversation(client, id, tagged)
      onTagged?.()
      onClose()
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: tagKeys.all })
      toastRefusal('As etiquetas não mudaram', error)
    },
  })
  return <TagsDialog rows={[seen]} isBusy={isPending} onSave={mutate} onClose={onClose} />
}
