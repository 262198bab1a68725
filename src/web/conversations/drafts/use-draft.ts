import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Draft } from '#shared/drafts.ts'
import { serverNow } from '#web/platform/server-clock.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { type Chat, chatKey } from '#web/conversations/sends/sends.ts'
import { lastDraftTold } from '#web/conversations/cache/pushed-since.ts'
import { keepWritten, readWritten, subscribeWritten } from './local-drafts.ts'
import { forgetSaving, isSaving, saveNow, saveSoon } from './save-drafts.ts'

/**
 * What a person has begun to write in a chat: what was typed here and is not saved yet, or else what the server has, from
 * whatever device. Nothing that comes from elsewhere takes the place of what is being typed.
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
    // What was typed before there was a conversation, or before a reload.
    if (readWritten(userId, conversationId)) saveSoon(writer, conversationId)
    return () => saveNow(writer, conversationId)
  }, [client, userId, conversationId])

  const shown = written ?? saved
  return {
    text: shown?.content ?? '',
    quoted: shown?.quoted ?? null,
    write: (content: string) => change({ content }),
    /** It is sent, or taken away: at once, since the tab may be closed at once. */
    clear: () => {
      // As of now: a question may have stood between the text and its way out, and it was saved meanwhile.
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

/** Changes a draft without looking at it, so that who only quotes is not drawn anew at every stroke. */
export function useChangeDraft(userId: number, chat: Chat) {
  const client = useQueryClient()
  const key = chatKey(chat)
  const conversationId = 'conversationId' in chat ? chat.conversationId : undefined
  const change = useCallback(
    (part: Partial<Pick<Draft, 'content' | 'quoted'>>) => {
      const saved = conversationId === undefined ? undefined : savedIn(client, conversationId)
      const written = readWritten(userId, key)
      const { content, quoted } = { ...empty, ...(written ?? saved), ...part }
      const isEmpty = content === '' && quoted === null
      // To a contact nothing is saved: there an empty draft is none.
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

const empty: Pick<Draft, 'content' | 'quoted'> = { content: '', quoted: null }

const areFetched = (client: QueryClient) =>
  client.getQueryData(conversationQueries.drafts().queryKey) !== undefined

/** As the server has it; until the drafts have been fetched, as it was told last. */
const savedIn = (client: QueryClient, conversationId: number): Draft | undefined => {
  const drafts = client.getQueryData(conversationQueries.drafts().queryKey)
  return drafts
    ? drafts.find((draft) => draft.conversationId === conversationId)
    : lastDraftTold(client, conversationId)
}

function useSaved(conversationId: number | undefined): Draft | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    ...conversationQueries.drafts(),
    enabled: conversationId !== undefined,
    // One fetch keeps them for all rows (`ConversationsLive`); what is pushed is here when a row comes into sight.
    refetchOnMount: false,
    refetchInterval: false,
    select: (drafts) => drafts.find((draft) => draft.conversationId === conversationId),
  })
  return data ?? (conversationId === undefined ? undefined : savedIn(client, conversationId))
}

/** What stands in the list for a conversation: the text of its draft, or undefined. */
export function useDraftText(userId: number, conversationId: number): string | undefined {
  const written = useSyncExternalStore(subscribeWritten, () => readWritten(userId, conversationId))
  const saved = useSaved(conversationId)
  return (written ?? saved)?.content.trim() || undefined
}
