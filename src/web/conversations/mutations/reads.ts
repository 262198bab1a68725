import {
  useMutation,
  type UseMutationOptions,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type ConversationRead, markRead, markUnread, unreadOf } from '#shared/conversations/reads.ts'
import { call } from '#web/platform/api/api.ts'
import { isRefusal } from '#web/platform/api/api-error.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { toastRefusal } from './conversation-mutations.ts'
import { patchRead } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'

/** A reading on its way to the server: shown as if it had arrived, and dropped if it fails. */
interface Reading {
  conversationId: number
  /** null: marked as unread. */
  lastMessageId: number | null
  /** How many of the contact's messages count as read meanwhile. */
  contactMessageCount: number
}

const readingKey = ['reading'] as const
const readTries = 3

/** Marks a conversation as read or unread, one call after the other, so that the last one wins. */
function useReading(
  conversationId: number,
  options: Pick<UseMutationOptions<ConversationRead, Error, Reading>, 'retry' | 'onError'>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: readingKey,
    scope: { id: `reading-${conversationId}` },
    mutationFn: ({ lastMessageId }: Reading) =>
      lastMessageId === null
        ? call(markUnread, { params: { id: conversationId } })
        : call(markRead, { params: { id: conversationId }, body: { lastMessageId } }),
    onSuccess: (read) => patchRead(client, read),
    ...options,
  })
}

/** Marks the conversation as read up to a message. Failures are silent, since the next reading repeats it. */
export function useMarkRead({ id: conversationId, contactMessageCount }: Conversation) {
  const { mutate } = useReading(conversationId, {
    retry: (failures, error) => failures < readTries && !isRefusal(error),
  })
  return (lastMessageId: number) => mutate({ conversationId, lastMessageId, contactMessageCount })
}

/** 'Marcar como não lida'. */
export function useMarkUnread({ id: conversationId, contactMessageCount }: Conversation) {
  const { mutate } = useReading(conversationId, {
    onError: (error) => toastRefusal('Erro ao marcar como não lida', error),
  })
  return () => mutate({ conversationId, lastMessageId: null, contactMessageCount: contactMessageCount - 1 })
}

/**
 * My readings by conversation; undefined until known. `isAwaited`: the first fetch is running and has not
 * failed.
 */
export function useReads(): { reads: ReadonlyMap<number, ConversationRead> | undefined; isAwaited: boolean } {
  const { data, isLoading, failureCount } = useQuery({
    ...conversationQueries.reads(),
    enabled: useCan('viewConversations'),
  })
  const reads = useMemo(() => data && new Map(data.map((read) => [read.conversationId, read])), [data])
  return { reads, isAwaited: isLoading && failureCount === 0 }
}

/** The readings on their way to the server. */
const useUnderWay = () =>
  useMutationState({
    filters: { mutationKey: readingKey, status: 'pending' },
    select: ({ state }) => state.variables as Reading,
  })

/** Whether the conversation is being marked as unread: until that is over, its reading is an older one. */
export function useIsMarkingUnread(id: number): boolean {
  return useUnderWay().some((reading) => reading.conversationId === id && reading.lastMessageId === null)
}

/** The unread messages of a conversation, pending readings included; 0 until known. */
export function useUnread(): (conversation: Pick<Conversation, 'id' | 'contactMessageCount'>) => number {
  const { reads } = useReads()
  const pending = useUnderWay()
  return useMemo(() => unreadBy(reads, pending), [reads, pending])
}

export function unreadBy(
  reads: ReadonlyMap<number, ConversationRead> | undefined,
  pending: readonly Reading[],
): (conversation: Pick<Conversation, 'id' | 'contactMessageCount'>) => number {
  if (!reads) return () => 0
  const underWay = new Map(pending.map((reading) => [reading.conversationId, reading]))
  return (conversation) => {
    const read = reads.get(conversation.id)
    const reading = underWay.get(conversation.id)
    if (!reading) return unreadOf(conversation, read)
    // Marking as unread never lowers the number of unread messages, and reading never raises it.
    const [known, now] = [read?.contactMessageCount ?? 0, reading.contactMessageCount]
    const contactMessageCount = reading.lastMessageId === null ? Math.min(known, now) : Math.max(known, now)
    return unreadOf(conversation, { contactMessageCount })
  }
}

/** How many of my open conversations have unread messages. */
export function useUnreadMine(): number {
  const { id } = useMe()
  const unread = useUnread()
  const { data } = useQuery({ ...conversationQueries.open(), enabled: useCan('viewConversations') })
  return useMemo(
    () =>
      countUnread(
        (data ?? []).filter((row) => row.assignedUserId === id),
        unread,
      ),
    [data, id, unread],
  )
}

export function countUnread(rows: readonly Conversation[], unread: (row: Conversation) => number): number {
  return rows.reduce((count, row) => (unread(row) > 0 ? count + 1 : count), 0)
}
