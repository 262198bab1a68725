import type { QueryClient } from '@tanstack/react-query'
import type { Draft } from '#shared/conversations/drafts.ts'
import { patchDrafts } from './merge-fetched.ts'
import { conversationQueries } from './queries.ts'
import { noteDraft } from './pushed-since.ts'

/**
 * Puts a pushed draft wherever drafts are shown, and keeps older fetches from undoing it; null: there is
 * none.
 */
export function patchDraft(client: QueryClient, conversationId: number, draft: Draft | null): void {
  noteDraft(client, conversationId, draft)
  client.setQueryData(
    conversationQueries.drafts().queryKey,
    (drafts) => drafts && patchDrafts(drafts, conversationId, draft),
  )
}
