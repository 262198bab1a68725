import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import { isQueued } from '#shared/conversations/list/list-view.ts'
import { isInView, type ListView, orderOf } from './list-order.ts'
import { lastPushed } from './pushed-since.ts'
import { conversationQueries, type ListFilter, openRow, viewOfPage } from './queries.ts'

/** The conversation wherever it is cached, each as of the moment of its own fetch or push. */
export function knownRows(client: QueryClient, id: number): Conversation[] {
  const pages = client.getQueriesData<ConversationPage>({
    queryKey: conversationQueries.lists,
    type: 'active',
  })
  return [
    client.getQueryData(conversationQueries.one(id).queryKey),
    openRow(client, id),
    ...pages.map(([, page]) => page?.conversations.find((row) => row.id === id)),
    lastPushed(client, id),
  ].filter((row) => row !== null && row !== undefined)
}

export function viewOf(queryKey: QueryKey): ListView {
  return viewOfPage(queryKey.at(-1) as ListFilter)
}

/**
 * Whether a changed row moved in any list: in that of all by start, or in that of a page on the screen. A
 * page may be older than what else is cached, so the row is compared with everything known of it. If
 * everything was fetched ahead of the first push, how the pages show it is not known.
 * @param row null if it is no longer visible
 */
export function isMovedInSome(
  client: QueryClient,
  known: readonly Conversation[],
  row: Conversation | null,
): boolean {
  const isOpen = isOpenRow(row)
  if (known.length === 0) return isOpen
  if (known.some((before) => isOpenRow(before) !== isOpen)) return true
  if (!row || !isOpen) return false
  const wasPushed = lastPushed(client, row.id) !== undefined
  if (!wasPushed && known.every(({ version }) => version >= row.version)) return true
  const pages = client.getQueryCache().findAll({ queryKey: conversationQueries.lists, type: 'active' })
  const views = [{}, ...pages.map(({ queryKey }) => viewOf(queryKey))]
  return known.some((before) =>
    views.some((view) => {
      const [was, is] = [isInView(before, view), isInView(row, view)]
      return was !== is || (is && orderOf(view)(before, row) !== 0)
    }),
  )
}

export const isOpenRow = (row: Conversation | null): boolean => row !== null && row.status !== 'completed'

const refreshDelayMs = 1000
const pendingRefreshes = new WeakSet<QueryClient>()

/**
 * Refetches the pages once for all events within a second; the list of all open rows computes its positions
 * itself.
 */
export function refreshListsSoon(client: QueryClient): void {
  if (pendingRefreshes.has(client)) return
  pendingRefreshes.add(client)
  setTimeout(() => {
    pendingRefreshes.delete(client)
    void client.invalidateQueries({ queryKey: conversationQueries.lists })
    // The positions of other conversations in the queue have changed as well.
    void client.invalidateQueries({
      queryKey: conversationQueries.ones,
      predicate: ({ state }) => {
        const row = state.data as Conversation | null | undefined
        return row !== null && row !== undefined && isQueued(row)
      },
    })
  }, refreshDelayMs)
}
