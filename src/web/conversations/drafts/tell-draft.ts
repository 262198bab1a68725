import type { QueryClient } from '@tanstack/react-query'
import type { Draft } from '#shared/drafts.ts'
import { conversationQueries } from '../queries.ts'

/** Puts a draft as told where drafts are shown; null: there is none. */
export function tellDraft(client: QueryClient, conversationId: number, draft: Draft | null): void {
  const { queryKey } = conversationQueries.drafts()
  const isUnderWay = client.isFetching({ queryKey }) > 0
  client.setQueryData(queryKey, (rows) => {
    const old = rows?.find((row) => row.conversationId === conversationId)
    if (!rows || (!old && !draft)) return rows
    if (old && draft && Date.parse(old.updatedAt) > Date.parse(draft.updatedAt)) return rows
    const others = rows.filter((row) => row !== old)
    return draft ? [...others, draft].sort((a, b) => a.conversationId - b.conversationId) : others
  })
  // What is on its way may have left before this was written.
  if (isUnderWay) void client.invalidateQueries({ queryKey })
}
