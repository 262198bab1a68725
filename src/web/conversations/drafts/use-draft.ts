import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Draft } from '#shared/conversations/drafts.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { type Chat, chatKey } from '#web/conversations/sends/sends.ts'
import { lastPushedDraft } from '#web/conversations/cache/pushed-since.ts'
import { keepWritten, readWritten, subscribeWritten } from './local-drafts.ts'
import { forgetSaving, isSaving, saveNow, saveSoon } from './save-drafts.ts'

/**
 * The draft of a chat: unsaved text of this browser, or else what the server has from any device. Nothing
 * that arrives from elsewhere replaces text that is being typed.
 */
export function useDraft(userId: number, chat: Chat) {
  const client = useQueryClient()
  const key = chatKey(chat)
  const conversationId = 'conversationId' in chat ? chat.conversationId : undefined
  const written = useSyncExternalStore(subscribeWritten, () => readWritten(userId, key))
  const saved = useSaved(conversationId)
  const { change } = useChangeDraft(userId, chat)

  useEffect(() => {
    if (conversationId === undefined) return undefined
    const writer = { client, userId }
    // Text from before the conversation existed, or from before a reload.
    if (readWritten(userId, conversationId)) saveSoon(writer, conversationId)
    return () => saveNow(writer, conversationId)
  }, [client, userId, conversationId])

  const shown = written ?? saved
  return {
    text: shown?.content ?? '',
    quoted: shown?.quoted ?? null,
    write: (content: string) => change({ content }),
    /** After sending or discarding: saved at once, since the tab may be closed. */
    clear: () => {
      // Read at this moment: a confirmation dialog may have been open, and the text saved meanwhile.
      if (conversationId !== undefined && !savedIn(client, conversationId) && !isSaving(conversationId)) {
        forgetSaving(conversationId)
        return keepWritten(userId, key, undefined)
      }
      change({ content: '', quoted: null })
      if (conversationId !== undefined) saveNow({ client, userId }, conversationId)
      return undefined
    },
    unquote: () => change({ quoted: null }),
  }
}

/** Changes a draft without subscribing to it, so that callers are not rendered at every keystroke. */
export function useChangeDraft(userId: number, chat: Chat) {
  const client = useQueryClient()
  const key = chatKey(chat)
  const conversationId = 'conversationId' in chat ? chat.conversationId : undefined
  const change = useCallback(
    (given: Part | ((now: Words) => Part)) => {
      const saved = conversationId === undefined ? undefined : savedIn(client, conversationId)
      const written = readWritten(userId, key)
      const now = { ...empty, ...(written ?? saved) }
      const { content, quoted } = { ...now, ...(typeof given === 'function' ? given(now) : given) }
      const isEmpty = content === '' && quoted === null
      // Drafts to a contact are not saved, so an empty one is removed.
      if (conversationId === undefined && isEmpty) return keepWritten(userId, key, undefined)
      const isBlind = written
        ? written.isBlind
        : conversationId !== undefined && !saved && !areFetched(client)
      keepWritten(userId, key, { content, quoted, atMs: serverNow(), ...(isBlind && { isBlind }) })
      if (conversationId !== undefined) saveSoon({ client, userId }, conversationId)
    },
    [client, userId, key, conversationId],
  )
  return { change }
}

type Words = Pick<Draft, 'content' | 'quoted'>
type Part = Partial<Words>

const empty: Words = { content: '', quoted: null }

function areFetched(client: QueryClient) {
  return client.getQueryData(conversationQueries.drafts().queryKey) !== undefined
}

/** The server's draft; until the drafts have been fetched, the one that was pushed last. */
function savedIn(client: QueryClient, conversationId: number): Draft | undefined {
  const drafts = client.getQueryData(conversationQueries.drafts().queryKey)
  return drafts
    ? drafts.find((draft) => draft.conversationId === conversationId)
    : lastPushedDraft(client, conversationId)
}

function useSaved(conversationId: number | undefined): Draft | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    ...conversationQueries.drafts(),
    enabled: conversationId !== undefined,
    // `ConversationsLive` fetches the drafts once for all rows and keeps them current.
    refetchOnMount: false,
    refetchInterval: false,
    select: (drafts) => drafts.find((draft) => draft.conversationId === conversationId),
  })
  return data ?? (conversationId === undefined ? undefined : savedIn(client, conversationId))
}

/** The draft of a conversation as lists show it; undefined if there is none. */
export function useDraftText(userId: number, conversationId: number): string | undefined {
  const written = useSyncExternalStore(subscribeWritten, () => readWritten(userId, conversationId))
  const saved = useSaved(conversationId)
  return (written ?? saved)?.content.trim() || undefined
}
