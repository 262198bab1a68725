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

/** What was half written in conversations that are gone: the chat offers it to its author, to be copied. */
const lost = new Map<number, Draft | undefined>()

export const lostDraft = (conversationId: number): Draft | undefined => lost.get(conversationId)

/** The conversation is gone, and its draft with it. */
export function loseDraft(client: QueryClient, conversationId: number): void {
  const drafts = client.getQueryData(conversationQueries.drafts().queryKey)
  lost.set(
    conversationId,
    drafts?.find((draft) => draft.conversationId === conversationId),
  )
  patchDraft(client, conversationId, null)
}
