import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent } from '#web/platform/live/live.ts'
import { contactQueries } from './queries.ts'

/** Refetches a contact that a colleague may have changed: a card has fewer fields. */
export function useContactLive(contactId: number): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event.type === 'conversation_updated' && event.data.conversation.contactId === contactId)
          void client.invalidateQueries({ queryKey: contactQueries.one(contactId).queryKey })
      }),
    [client, contactId],
  )
}
