import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent } from '#web/platform/live/live.ts'
import { archiveQueries, useArchiveRights } from './queries.ts'

/** The search knows a conversation about a second after its completion; several are fetched together. */
const laterMs = 1500

/** Fetches the list again after a conversation was completed, or deleted. */
export function useFreshArchive(): void {
  useArchiveRights()
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const off = onLiveEvent((event) => {
      const isOfArchive =
        event.type === 'conversation_removed' ||
        (event.type === 'conversation_updated' && event.data.conversation.status === 'completed')
      if (!isOfArchive) return
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: archiveQueries.pages })
      }, laterMs)
    })
    return () => {
      off()
      clearTimeout(timer)
    }
  }, [client])
}
