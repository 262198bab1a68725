import {
  useMutation,
  type UseMutationOptions,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { type ConversationRead, markRead, markUnread, unreadOf } from '#shared/reads.ts'
import { ApiError, call } from '#web/platform/api.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { sayRefused } from './conversation-mutations.ts'
import { tellRead } from '#web/conversations/cache/apply-live-event.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'

/** What is on its way: shown as if it had arrived, and forgotten when it fails. */
interface Reading {
  conversationId: number
  /** null: marked as unread. */
  lastMessageId: number | null
  /** How many of the contact's messages count as read meanwhile. */
  contactMessageCount: number
}

const readingKey = ['reading'] as const
const readTries = 3

/** Reads, and marks as unread, one after the other: what was done last stands. */
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
    onSuccess: (read) => tellRead(client, read),
    ...options,
  })
}

/** Says that the conversation was read up to a message. Nobody is told when it fails: the next reading says it again. */
export function useMarkRead({ id: conversationId, contactMessageCount }: Conversation) {
  const { mutate } = useReading(conversationId, {
    retry: (failures, error) => failures < readTries && !isRefusal(error),
  })
  return (lastMessageId: number) => mutate({ conversationId, lastMessageId, contactMessageCount })
}

/** The server has understood, and will say so again. */
const isRefusal = (error: Error) => error instanceof ApiError && error.status >= 400 && error.status < 500

/** 'Marcar como não lida'. */
export function useMarkUnread({ id: conversationId, contactMessageCount }: Conversation) {
  const { mutate } = useReading(conversationId, {
    onError: (error) => sayRefused('Erro ao marcar como não lida', error),
  })
  return () => mutate({ conversationId, lastMessageId: null, contactMessageCount: contactMessageCount - 1 })
}

/** My readings, by conversation; undefined until they are known. `isAwaited`: they are on their way, and nothing failed. */
export function useReads(): { reads: ReadonlyMap<number, ConversationRead> | undefined; isAwaited: boolean } {
  const { data, isLoading, failureCount } = useQuery({
    ...conversationQueries.reads(),
    enabled: useCan('canViewConversations'),
  })
  const reads = useMemo(() => data && new Map(data.map((read) => [read.conversationId, read])), [data])
  return { reads, isAwaited: isLoading && failureCount === 0 }
}

/** How many messages of a conversation I have not read, with what is on its way; 0 until it is known. */
export function useUnread(): (conversation: Pick<Conversation, 'id' | 'contactMessageCount'>) => number {
  const { reads } = useReads()
  const pending = useMutationState({
    filters: { mutationKey: readingKey, status: 'pending' },
    select: ({ state }) => state.variables as Reading,
  })
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
    // Marked as unread, what was more unread stays so; read, what was read already stays so.
    const [known, now] = [read?.contactMessageCount ?? 0, reading.contactMessageCount]
    const contactMessageCount = reading.lastMessageId === null ? Math.min(known, now) : Math.max(known, now)
    return unreadOf(conversation, { contactMessageCount })
  }
}

/** How many open conversations of mine have something that I have not read. */
export function useUnreadMine(): number {
  const { id } = useMe()
  const unread = useUnread()
  const { data } = useQuery({ ...conversationQueries.open(), enabled: useCan('canViewConversations') })
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
