import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries, openRow } from '#web/conversations/cache/queries.ts'

// The server holds the end of a conversation for as long as it can be undone. A client who writes meanwhile
// has heard of no end, and keeps the conversation open.

/** Whether a conversation is open again after this end of it. */
export function isOpenAgain(client: QueryClient, { id, status, version }: Conversation): boolean {
  // It was so when the server answered.
  if (status !== 'completed') return true
  const row = openRow(client, id) ?? client.getQueryData(conversationQueries.one(id).queryKey)
  return row ? row.status !== 'completed' && row.version > version : false
}

/** Longer than any end is held, and than a lost connection takes to come back. */
const watchedMs = 60_000

/**
 * Calls once the conversation is open again, however that comes to be known: pushed, or fetched.
 * @returns what calls it off
 */
export function onOpenAgain(client: QueryClient, ended: Conversation, act: () => void): () => void {
  const keys = [conversationQueries.open().queryKey, conversationQueries.one(ended.id).queryKey]
  const hashes = keys.map((key) => hashKey(key))
  const stop = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
    if (!hashes.includes(query.queryHash) || !isOpenAgain(client, ended)) return
    stop()
    act()
  })
  const timer = setTimeout(unsubscribe, watchedMs)
  return stop
}
