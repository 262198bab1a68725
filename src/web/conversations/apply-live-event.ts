import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Conversation, ConversationPage, Message } from '#shared/conversations.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import { insertMessage, keepNewer, messageOrder, messagePageSize, patchPage } from './land.ts'
import { isQueued, listOrder } from './list-order.ts'
import { conversationQueries } from './queries.ts'

/**
 * Patches the cache by what was pushed. Push is a hint: a row is taken only when it is not older than ours, and a list
 * whose membership or order changed is fetched again soon.
 * @see architecture 9
 */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  switch (event.type) {
    case 'conversation_removed':
      tellConversation(client, event.data.conversationId, null)
      break
    case 'queue_changed':
      refreshListsSoon(client)
      break
    case 'stats_update':
      client.setQueryData(conversationQueries.stats().queryKey, event.data.stats)
      break
    case 'permissions_changed':
      // What was loaded may no longer be ours to see, and nothing of it may be kept.
      void client.resetQueries({ queryKey: conversationQueries.all })
      break
    case 'message_received':
    case 'new_message':
    case 'customer_message_notification':
      tellMessage(client, event.data.message)
      tellConversation(client, event.data.conversationId, event.data.conversation)
      break
    case 'new_conversation':
    case 'new_conversation_with_sound':
    case 'new_conversation_notification':
    case 'conversation_updated':
    case 'conversation_transferred':
      tellConversation(client, event.data.conversationId, event.data.conversation)
      break
    default:
  }
}

/** Puts a conversation as told into every place that shows it; null: it is gone for this person. */
export function tellConversation(client: QueryClient, id: number, told: Conversation | null): void {
  const oneKey = conversationQueries.one(id).queryKey
  const openKey = conversationQueries.open().queryKey
  const listed = client.getQueryData(openKey)?.find((row) => row.id === id)
  const before = client.getQueryData(oneKey) ?? listed
  const row = told && keepNewer(before, told)
  client.setQueryData(oneKey, row)

  const isOpen = row !== null && row.status !== 'completed'
  client.setQueryData(openKey, (rows) => rows && patchOpen(rows, id, isOpen ? row : null))
  client.setQueriesData<ConversationPage>(
    { queryKey: conversationQueries.lists },
    (page) => page && patchPage(page, id, row),
  )
  const wasOpen = before !== undefined && before.status !== 'completed'
  const isMoved = isOpen && before !== undefined && isQueued(before) !== isQueued(row)
  if (wasOpen !== isOpen || isMoved) refreshListsSoon(client)
}

function patchOpen(rows: Conversation[], id: number, row: Conversation | null): Conversation[] {
  const index = rows.findIndex((each) => each.id === id)
  if (!row) return index === -1 ? rows : rows.toSpliced(index, 1)
  return (index === -1 ? [...rows, row] : rows.with(index, row)).sort(listOrder)
}

/** Puts a message as told into its conversation's timeline, when that is loaded. */
export function tellMessage(client: QueryClient, message: Message): void {
  const { queryKey } = conversationQueries.messages(message.conversationId)
  const query = client.getQueryCache().find({ queryKey })
  if (query && query.state.data === undefined) {
    // The first fetch may have left before this message was written: tell it again once that has landed.
    void query.promise?.then(
      () => tellMessage(client, message),
      () => undefined,
    )
    return
  }
  client.setQueryData(queryKey, (data) => {
    if (!data) return data
    const oldest = data.pages.at(-1)
    const isBeyond = oldest?.[0] && messageOrder(message, oldest[0]) < 0 && oldest.length >= messagePageSize
    return isBeyond ? data : { ...data, pages: insertMessage(data.pages, message) }
  })
}

const refreshDelayMs = 1000
const pendingRefreshes = new WeakMap<QueryClient, ReturnType<typeof setTimeout>>()

/** One refetch of the lists for everything that happens within a second. */
function refreshListsSoon(client: QueryClient): void {
  if (pendingRefreshes.has(client)) return
  const timer = setTimeout(() => {
    pendingRefreshes.delete(client)
    for (const queryKey of listKeys()) void client.invalidateQueries({ queryKey })
  }, refreshDelayMs)
  pendingRefreshes.set(client, timer)
}

const listKeys = (): QueryKey[] => [conversationQueries.open().queryKey, conversationQueries.lists]
