import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  replaceEqualDeep,
  type QueryClient,
} from '@tanstack/react-query'
import {
  historyPageSize,
  listContactConversations,
  listContactMedia,
  listConversationMedia,
  type MediaKind,
  mediaPageSize,
} from '#shared/conversations/contact-history.ts'
import { getConversation, listConversations } from '#shared/conversations/conversation-endpoints.ts'
import { type Conversation, conversationPage } from '#shared/conversations/conversations.ts'
import { listMessages } from '#shared/messages/message-endpoints.ts'
import type { Message } from '#shared/messages/messages.ts'
import { searchedTab } from '#shared/conversations/list/list-view.ts'
import { getStats } from '#shared/conversations/stats.ts'
import { listDrafts } from '#shared/conversations/drafts.ts'
import { listReads } from '#shared/conversations/reads.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import type { ListView } from './list-order.ts'
import {
  mergeMessages,
  mergeOne,
  mergeOpen,
  mergePage,
  messagePageSize,
  type MessagePages,
  patchDrafts,
  patchReads,
} from './merge-fetched.ts'
import {
  draftsPushedSince,
  messagesPushedSince,
  pushedSince,
  readsPushedSince,
  replacesTimeline,
} from './pushed-since.ts'

export interface ListFilter extends ListView {
  page: number
  limit: number
  search: string
}

/** What the server lists for a page: by default all, and of a search without a tab also what is on hold. */
export const viewOfPage = ({ tab = 'all', search, ...view }: ListFilter): ListView => ({
  ...view,
  tab: searchedTab(tab, search),
})

const all = ['conversations'] as const
const lists = [...all, 'list'] as const
const ones = [...all, 'one'] as const
const timelines = [...all, 'messages'] as const
const medias = [...all, 'media'] as const

/** Whose files. */
export type MediaOf = { conversationId: number } | { contactId: number }

export const conversationQueries = {
  all,
  lists,
  ones,
  timelines,
  medias,

  /** One page of the open conversations. */
  list: (filter: ListFilter) =>
    queryOptions({
      queryKey: [...lists, filter],
      queryFn: async ({ client, signal }) => {
        const leftAtMs = Date.now()
        const { search, userId: _whose, ...asked } = filter
        const query = { ...asked, ...(search && { search }) }
        const reply = conversationPage.parse(await call(listConversations, { query, signal }))
        return mergePage(reply, pushedSince(client, leftAtMs), viewOfPage(filter))
      },
      placeholderData: keepPreviousData,
    }),

  /** All open conversations visible to the person, for the list pane, the counts and the sounds. */
  open: () =>
    queryOptions({
      queryKey: [...all, 'open'],
      // A push replaces one row of thousands and keeps the other objects, so comparing them all gains
      // nothing.
      structuralSharing: false,
      queryFn: async ({ client, signal }) => {
        const leftAtMs = Date.now()
        const reply = await call(listConversations, { signal })
        // Yields once: pending input is handled before thousands of rows are sorted.
        await new Promise((resolve) => setTimeout(resolve))
        return mergeOpen(Array.isArray(reply) ? reply : reply.conversations, pushedSince(client, leftAtMs))
      },
    }),

  /** How far I have read each open conversation; conversations that are missing were never read. */
  reads: () =>
    queryOptions({
      queryKey: [...all, 'reads'],
      queryFn: async ({ client, signal }) => {
        const leftAtMs = Date.now()
        const fetched = await call(listReads, { signal })
        return readsPushedSince(client, leftAtMs).reduce(patchReads, fetched)
      },
    }),

  /** null: it does not exist, or is not visible to this person. */
  one: (id: number) =>
    queryOptions({
      queryKey: [...ones, id],
      queryFn: async ({ client, signal }): Promise<Conversation | null> => {
        const leftAtMs = Date.now()
        const fetched = await call(getConversation, { params: { id: id }, signal }).catch(nullWhenMissing)
        return mergeOne(id, fetched, openRow(client, id), pushedSince(client, leftAtMs))
      },
    }),

  /** The newest page first; older ones are loaded with `fetchNextPage`. */
  messages: (conversationId: number) =>
    infiniteQueryOptions({
      queryKey: [...timelines, conversationId],
      queryFn: async ({ client, pageParam, signal }) => {
        const leftAtMs = Date.now()
        const query = pageParam === null ? {} : { before: pageParam }
        const page = await call(listMessages, { params: { id: conversationId }, query, signal })
        fetches.set(page, { client, leftAtMs })
        return page
      },
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < messagePageSize ? undefined : page[0]?.id),
      structuralSharing: (old, fetched) =>
        replaceEqualDeep(old, land(conversationId, old as MessagePages | undefined, fetched as MessagePages)),
    }),

  /** Key of the newest notes of the team. */
  notesKey: (conversationId: number) => [...all, 'notes', conversationId],

  /** Key prefix of the searches of a conversation. */
  searches: (conversationId: number) => [...all, 'found', conversationId],

  /** The conversations of a contact that are visible to the person, newest first. */
  history: (contactId: number) =>
    infiniteQueryOptions({
      queryKey: [...all, 'history', contactId],
      queryFn: ({ pageParam, signal }) =>
        call(listContactConversations, {
          params: { id: contactId },
          query: pageParam === null ? {} : { before: pageParam },
          signal,
        }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < historyPageSize ? undefined : page.at(-1)?.id),
    }),

  /** The messages that have a file, newest first. */
  media: (of: MediaOf, kind: MediaKind) =>
    infiniteQueryOptions({
      queryKey: [...medias, of, kind],
      queryFn: ({ pageParam, signal }) => {
        const query = { kind, ...(pageParam !== null && { before: pageParam }) }
        return 'contactId' in of
          ? call(listContactMedia, { params: { id: of.contactId }, query, signal })
          : call(listConversationMedia, { params: { id: of.conversationId }, query, signal })
      },
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < mediaPageSize ? undefined : page.at(-1)?.id),
    }),

  /** The person's drafts in all conversations. */
  drafts: () =>
    queryOptions({
      queryKey: [...all, 'drafts'],
      queryFn: async ({ client, signal }) => {
        const leftAtMs = Date.now()
        const fetched = await call(listDrafts, { signal })
        return draftsPushedSince(client, leftAtMs).reduce(
          (drafts, [conversationId, pushed]) => patchDrafts(drafts, conversationId, pushed),
          fetched,
        )
      },
    }),

  stats: () =>
    queryOptions({
      queryKey: [...all, 'stats'],
      queryFn: async ({ client, signal, queryKey }) => {
        const leftAtMs = Date.now()
        const fetched = await call(getStats, { signal })
        const pushed = client.getQueryState<typeof fetched>(queryKey)
        return pushed?.data && pushed.dataUpdatedAt >= leftAtMs ? pushed.data : fetched
      },
    }),
}

/** When the fetch of a page of messages started, and by which client. */
const fetches = new WeakMap<Message[], { client: QueryClient; leftAtMs: number }>()

function land(id: number, old: MessagePages | undefined, fetched: MessagePages): MessagePages {
  const left = fetched.pages.map((page) => fetches.get(page)).find((each) => each !== undefined)
  if (!left) return mergeMessages(old, fetched, [])
  const keepsOlder = !replacesTimeline(left.client, id, left.leftAtMs)
  return mergeMessages(old, fetched, messagesPushedSince(left.client, left.leftAtMs), keepsOlder)
}

/** The row of a conversation in the list of open ones. */
export function openRow(client: QueryClient, id: number): Conversation | undefined {
  return client.getQueryData(conversationQueries.open().queryKey)?.find((row) => row.id === id)
}

export function nullWhenMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
