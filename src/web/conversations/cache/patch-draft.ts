import type { QueryClient } from '@tanstack/react-query'
import type { Draft } from '#shared/drafts.ts'
import { patchDrafts } from './merge-fetched.ts'
import { conversationQueries } from './queries.ts'
import { noteDraft } from './pushed-since.ts'

/** Puts a draft as told where drafts are shown, also over what an older fetch will bring; null: there is none. */
export function tellDraft(client: QueryClient, conversationId: number, draft: Draft | null): void {
  noteDraft(client, conversationId, draft)
  client.setQueryData(
    conversationQueries.drafts().queryKey,
    (drafts) => drafts && patchDrafts(drafts, conversationId, draft),
  )
}
