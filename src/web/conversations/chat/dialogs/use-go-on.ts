import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { takeNextConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isQueued } from '#shared/conversations/list/list-view.ts'
import { unknownContact } from '#shared/text/text.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { useCan } from '#web/users/users.tsx'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { GoOn } from '#web/conversations/hand-over/go-on.tsx'
import { useListFilter } from '#web/conversations/list/controls/use-list-filter.ts'
import { useListedRows } from '#web/conversations/list/use-inbox.ts'
import { isInChat, toastRefusal, useLeaveChat } from '#web/conversations/mutations/conversation-mutations.ts'

/**
 * Where a person goes after a conversation is finalized or transferred: back to the list, or on to the next
 * conversation of the same tab. After the last of their own that is the first of the queue, which they take.
 */
export function useGoOn(conversationId: number): GoOn {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const mayTake = useCan('takeNext')
  const { filter } = useListFilter()
  const next = nextOf(useListedRows(), conversationId)
  const { data: open = [] } = useQuery(conversationQueries.open())
  const backToList = useLeaveChat(conversationId)
  const takesNext =
    !next &&
    filter.tab === 'mine' &&
    mayTake &&
    open.some((row) => isQueued(row) && row.id !== conversationId)
  const show = (id: number, isStaying?: () => boolean) => {
    if (isInChat(conversationId) && !isStaying?.()) navigate(`/chat?conversation=${id}`)
  }
  const take = async (isStaying?: () => boolean) => {
    try {
      const { conversation } = await call(takeNextConversation)
      patchConversation(client, conversation.id, conversation)
      show(conversation.id, isStaying)
    } catch (error) {
      const isEmpty = error instanceof ApiError && error.code === 'conversations.queue_empty'
      if (!isEmpty) toastRefusal('Erro ao assumir a próxima conversa', error as Error)
      backToList(isStaying)
    }
  }
  const nextName = next && (next.contact.name || unknownContact)
  return {
    hint: nextName === undefined ? (takesNext ? 'assume a próxima da fila' : undefined) : `abre ${nextName}`,
    nextName,
    leave: (isForNext, isStaying) => {
      if (!isForNext) return backToList(isStaying)
      if (next) show(next.id, isStaying)
      else void take(isStaying)
      return () => undefined
    },
  }
}

/** The conversation that follows in the list; after the last one the first, and undefined without another. */
function nextOf(listed: readonly Conversation[], id: number): Conversation | undefined {
  const here = listed.findIndex((row) => row.id === id)
  return listed[here + 1] ?? listed.find((row) => row.id !== id)
}
