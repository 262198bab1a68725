import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { contactCard } from '#shared/contacts.ts'
import type { Conversation, ConversationPage } from '#shared/conversations.ts'
import { isCountedMessage } from '#shared/message-kinds.ts'
import type { Message } from '#shared/messages.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import type { ConversationRead } from '#shared/reads.ts'
import { tellDraft } from './patch-draft.ts'
import {
  insertMessage,
  keepNewer,
  messageOrder,
  messagePageSize,
  type MessagePages,
  patchPage,
  patchReads,
  requote,
} from './merge-fetched.ts'
import { isQueued, listOrder, ranked } from './list-order.ts'
import { conversationQueries } from './queries.ts'
import { lastTold, noteContact, noteConversation, noteMessage, noteRead } from './pushed-since.ts'

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
    case 'conversation_read':
      tellRead(client, event.data.read)
      break
    case 'draft_changed':
      tellDraft(client, event.data.conversationId, event.data.draft)
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
  const before = client.getQueryData(oneKey) ?? listed ?? lastTold(client, id)
  const row = told && keepNewer(before, told)
  noteConversation(client, id, row)
  // First, while some still show the old one: by another answer the conversation itself may have the new one already.
  const isOtherCard = row !== null && tellCard(client, row.contact)
  // Of thousands only what is open in a chat is kept by itself: every key of the cache is gone through for every event.
  if (client.getQueryState(oneKey) || client.getQueryState(conversationQueries.messages(id).queryKey))
    client.setQueryData(oneKey, row)

  const isOpen = row !== null && row.status !== 'completed'
  patchQueries<Conversation[]>(client, openKey, (rows) => ranked(patchOpen(rows, id, isOpen ? row : null)))
  patchQueries<ConversationPage>(client, conversationQueries.lists, (page) => patchPage(page, id, row))
  const wasOpen = before !== undefined && before.status !== 'completed'
  const isMoved = isOpen && before !== undefined && isQueued(before) !== isQueued(row)
  if (!row) forget(client, id, before?.contactId)
  if (!isOpen) tellDraft(client, id, null)
  // Some went to another conversation, and none of those that stayed says so.
  if (row && before && row.messageCount < before.messageCount)
    void client.invalidateQueries({ queryKey: conversationQueries.messages(id).queryKey })
  // What is on its way may count what we never saw, on whatever page.
  const mayBeCounted = before === undefined && client.isFetching({ queryKey: conversationQueries.lists }) > 0
  if (wasOpen !== isOpen || isMoved || isOtherCard || mayBeCounted) refreshListsSoon(client)
  else if (!isInStep(client, row)) refreshSoon(client)
}

/** Whether the loaded timeline holds as many messages as the conversation counts; some go to another conversation. */
function isInStep(client: QueryClient, row: Conversation | null): boolean {
  const pages = row && client.getQueryData(conversationQueries.messages(row.id).queryKey)?.pages
  if (!row || !pages) return true
  const shown = pages.flat().filter((message) => isCountedMessage(message.messageType))
  const isWhole = (pages.at(-1)?.length ?? 0) < messagePageSize
  return isWhole ? shown.length === row.messageCount : shown.some(({ id }) => id === row.lastMessage?.id)
}

/** What may not be seen any more is not kept; what happened to its contact is asked for where it still shows. */
function forget(client: QueryClient, id: number, contactId: number | undefined): void {
  client.removeQueries({ queryKey: conversationQueries.messages(id).queryKey })
  if (contactId === undefined) return
  void client.invalidateQueries({
    queryKey: conversationQueries.ones,
    predicate: ({ state }) => (state.data as Conversation | null | undefined)?.contactId === contactId,
  })
}

/**
 * A contact has one card, whichever of his conversations told it; those that are over have no news of their own.
 * @returns whether anything showed another: a search may find it now, or find it no more
 */
function tellCard(client: QueryClient, card: Conversation['contact']): boolean {
  let isOther = false
  const showsOther = ({ contact }: Conversation) =>
    contact.id === card.id && hashKey([contact]) !== hashKey([card])
  const patch = (row: Conversation) => {
    if (!showsOther(row)) return row
    isOther = true
    return { ...row, contact: card }
  }
  const patchAll = (rows: Conversation[]) => (rows.some(showsOther) ? rows.map(patch) : rows)
  patchQueries<Conversation | null>(client, conversationQueries.ones, (row) => row && patch(row))
  patchQueries<Conversation[]>(client, conversationQueries.open().queryKey, patchAll)
  patchQueries<ConversationPage>(client, conversationQueries.lists, (page) => {
    const conversations = patchAll(page.conversations)
    return conversations === page.conversations ? page : { ...page, conversations }
  })
  return isOther
}

/** A contact was changed in this tab: whatever shows his card shows it so, and a fetch that left before does not undo it. */
export function tellContact(client: QueryClient, told: Conversation['contact']): void {
  const card = contactCard.parse(told)
  noteContact(client, card)
  if (tellCard(client, card)) refreshListsSoon(client)
}

/** Changes what is cached under a key; what was known to be old stays so, for no fetch has mended it. */
function patchQueries<Data>(client: QueryClient, queryKey: QueryKey, change: (data: Data) => Data): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const { data, isInvalidated } = query.state
    const next = data === undefined ? data : change(data as Data)
    if (next === data) continue
    client.setQueryData(query.queryKey, next)
    if (isInvalidated) query.invalidate()
  }
}

function patchOpen(rows: Conversation[], id: number, row: Conversation | null): Conversation[] {
  const index = rows.findIndex((each) => each.id === id)
  const before = rows[index]
  if (before && row && listOrder(before, row) === 0) return rows.with(index, row)
  const others = before ? rows.toSpliced(index, 1) : rows
  return row ? others.toSpliced(placeOf(others, row), 0, row) : others
}

/** Where a row belongs among rows that stand in their order. */
function placeOf(rows: readonly Conversation[], row: Conversation): number {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    const other = rows[middle]
    if (other && listOrder(other, row) < 0) from = middle + 1
    else to = middle
  }
  return from
}

/** Puts how far I have read a conversation, as told here or on another device, among my readings. */
export function tellRead(client: QueryClient, read: ConversationRead): void {
  noteRead(client, read)
  patchQueries<ConversationRead[]>(client, conversationQueries.reads().queryKey, (reads) =>
    patchReads(reads, read),
  )
}

/** Puts a message as told into its conversation's timeline, when that is loaded. */
export function tellMessage(client: QueryClient, message: Message): void {
  noteMessage(client, message)
  tellQuoted(client, message)
  const { queryKey } = conversationQueries.messages(message.conversationId)
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  if (query.state.data === undefined) {
    // The first fetch may have left before this message was written: tell it again once that has landed.
    void query.promise?.then(
      () => tellMessage(client, message),
      () => undefined,
    )
    return
  }
  patchQueries<MessagePages>(client, queryKey, (data) => {
    const oldest = data.pages.at(-1)
    const isBeyond = oldest?.[0] && messageOrder(message, oldest[0]) < 0 && oldest.length >= messagePageSize
    return isBeyond ? data : { ...data, pages: requote(insertMessage(data.pages, message)) }
  })
}

/** It may be quoted in another conversation of the same contact. */
function tellQuoted(client: QueryClient, message: Message): void {
  patchQueries<MessagePages>(client, conversationQueries.timelines, (data) => {
    const pages = requote(data.pages, [message])
    return pages === data.pages ? data : { ...data, pages }
  })
}

const refreshDelayMs = 1000
const pendingRefreshes = new WeakMap<QueryClient, { isForLists: boolean }>()

/** One refetch of the pages for everything that happens within a second; the whole list knows its places by itself. */
function refreshListsSoon(client: QueryClient): void {
  refreshSoon(client).isForLists = true
}

/** What is known to be old a second from now is fetched then: much of it has mended itself by the next event. */
function refreshSoon(client: QueryClient): { isForLists: boolean } {
  const known = pendingRefreshes.get(client)
  if (known) return known
  const refresh = { isForLists: false }
  pendingRefreshes.set(client, refresh)
  setTimeout(() => {
    pendingRefreshes.delete(client)
    if (refresh.isForLists) void client.invalidateQueries({ queryKey: conversationQueries.lists })
    for (const { queryKey, state } of client
      .getQueryCache()
      .findAll({ queryKey: conversationQueries.ones })) {
      const row = state.data as Conversation | null | undefined
      // Others have moved up or down in the queue as well.
      if (row && refresh.isForLists && isQueued(row)) void client.invalidateQueries({ queryKey })
      if (row && !isInStep(client, row))
        void client.invalidateQueries({ queryKey: conversationQueries.messages(row.id).queryKey })
    }
  }, refreshDelayMs)
  return refresh
}
