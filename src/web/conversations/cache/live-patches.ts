import { hashKey, type QueryClient } from '@tanstack/react-query'
import { contactCard } from '#shared/contacts/contacts.ts'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import { patchQueries } from '#web/platform/patch-queries.ts'
import { loseDraft, patchDraft } from './patch-draft.ts'
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
import { listOrder, ranked } from './list-order.ts'
import { noteRemoved, noteVisible } from './kept-shown.ts'
import { isMovedInSome, isOpenRow, knownRows, refreshListsSoon, viewOf } from './list-refresh.ts'
import { conversationQueries } from './queries.ts'
import { noteContact, noteConversation, noteMessage, noteRead, noteTimelineChanged } from './pushed-since.ts'

// Patches of the cache by pushed events. A row is taken only if it is not older than the cached one, and a
// list whose membership or order changed is refetched soon.

/** Shows a message that was written or changed, and its conversation. */
export function showMessage({ data }: PushedMessage, client: QueryClient): void {
  patchMessage(client, data.message)
  showConversation({ data }, client)
}

/** Shows a conversation as it is now. */
export function showConversation({ data }: PushedConversation, client: QueryClient): void {
  patchConversation(client, data.conversationId, data.conversation)
}

/** Removes a conversation that was deleted, or that this person may no longer see. */
export function hideConversation({ data }: LiveEventOf<'conversation_removed'>, client: QueryClient): void {
  patchConversation(client, data.conversationId, null)
}

export function showRead({ data }: LiveEventOf<'conversation_read'>, client: QueryClient): void {
  patchRead(client, data.read)
}

export function showDraft({ data }: LiveEventOf<'draft_changed'>, client: QueryClient): void {
  patchDraft(client, data.conversationId, data.draft)
}

export function refetchLists(_event: LiveEvent, client: QueryClient): void {
  refreshListsSoon(client)
}

export function showStats({ data }: LiveEventOf<'stats_update'>, client: QueryClient): void {
  client.setQueryData(conversationQueries.stats().queryKey, data.stats)
}

type PushedConversation = Pick<LiveEventOf<'conversation_updated'>, 'data'>
type PushedMessage = Pick<LiveEventOf<'new_message'>, 'data'>

/** Puts a pushed conversation wherever it is shown; null: no longer visible to this person. */
export function patchConversation(client: QueryClient, id: number, pushed: Conversation | null): void {
  const oneKey = conversationQueries.one(id).queryKey
  const openKey = conversationQueries.open().queryKey
  const isKept = pushed === null && noteRemoved(id)
  if (pushed) noteVisible(id)
  const known = knownRows(client, id)
  const row = pushed && known.reduce((next, old) => keepNewer(old, next), pushed)
  // Before the push is noted.
  const isMoved = isMovedInSome(client, known, row)
  noteConversation(client, id, row)
  // Before the row itself is replaced: another answer may have updated it already while others still show the
  // old card.
  const isOtherCard = row !== null && patchContactCard(client, row.contact)
  // Only conversations open in a chat have a query of their own, since every event goes through all keys of
  // the cache.
  const isInChat =
    client.getQueryState(oneKey) ?? client.getQueryState(conversationQueries.messages(id).queryKey)
  if (isInChat && !isKept) client.setQueryData(oneKey, row)

  const isOpen = isOpenRow(row)
  patchQueries<Conversation[]>(client, openKey, (rows) => ranked(patchOpen(rows, id, isOpen ? row : null)))
  patchQueries<ConversationPage>(client, conversationQueries.lists, (page, queryKey) =>
    patchPage(page, id, row, viewOf(queryKey)),
  )
  if (!row && !isKept) forget(client, id, known[0]?.contactId)
  if (!row) loseDraft(client, id)
  else if (!isOpen) patchDraft(client, id, null)
  // The server lists the draft again: what is typed before it is here would take its place.
  else if (known.some((before) => !isOpenRow(before)))
    void client.invalidateQueries({ queryKey: conversationQueries.drafts().queryKey })
  // A list that is being fetched may count a conversation that was never cached, on any page.
  const mayBeCounted = known.length === 0 && client.isFetching({ queryKey: conversationQueries.lists }) > 0
  if (isMoved || isOtherCard || mayBeCounted) refreshListsSoon(client)
}

/**
 * Drops the messages of a conversation that is no longer visible, and refetches the contact's other
 * conversations.
 */
function forget(client: QueryClient, id: number, contactId: number | undefined): void {
  client.removeQueries({ queryKey: conversationQueries.messages(id).queryKey })
  if (contactId === undefined) return
  void client.invalidateQueries({
    queryKey: conversationQueries.ones,
    predicate: ({ state }) => (state.data as Conversation | null | undefined)?.contactId === contactId,
  })
}

/**
 * A contact has one card, whichever conversation brought it; completed conversations get no events of their
 * own.
 * @returns whether any cached row showed another card, so that a search may match differently now
 */
function patchContactCard(client: QueryClient, card: Conversation['contact']): boolean {
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

/**
 * Shows a contact that was changed in this tab, and protects the change from fetches that started earlier.
 */
export function patchContact(client: QueryClient, changed: Conversation['contact']): void {
  const card = contactCard.parse(changed)
  noteContact(client, card)
  if (patchContactCard(client, card)) refreshListsSoon(client)
}

function patchOpen(rows: Conversation[], id: number, row: Conversation | null): Conversation[] {
  const index = rows.findIndex((each) => each.id === id)
  const before = rows[index]
  if (before && row && listOrder(before, row) === 0) return rows.with(index, row)
  const others = before ? rows.toSpliced(index, 1) : rows
  return row ? others.toSpliced(placeOf(others, row), 0, row) : others
}

/** The index at which a row belongs among sorted rows. */
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

/** Records how far I have read a conversation, here or on another device. */
export function patchRead(client: QueryClient, read: ConversationRead): void {
  noteRead(client, read)
  patchQueries<ConversationRead[]>(client, conversationQueries.reads().queryKey, (reads) =>
    patchReads(reads, read),
  )
}

/** Puts a pushed message into the timeline of its conversation, if that is loaded. */
export function patchMessage(client: QueryClient, message: Message): void {
  noteMessage(client, message)
  patchQuotes(client, message)
  // It may contain the words of a search no more, or now.
  if (message.editedAt ?? message.deletedAt ?? message.transcription?.text)
    void client.invalidateQueries({ queryKey: conversationQueries.searches(message.conversationId) })
  insertPushed(client, message)
}

function insertPushed(client: QueryClient, message: Message): void {
  const { queryKey } = conversationQueries.messages(message.conversationId)
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  if (query.state.data === undefined) {
    // The first fetch may have started before this message was written.
    void query.promise?.then(
      () => insertPushed(client, message),
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

/**
 * Messages were removed from a conversation, or moved into it or out of it: fetches again those that are
 * loaded.
 */
export function refetchTimeline({ data }: LiveEventOf<'timeline_changed'>, client: QueryClient): void {
  const id = data.conversationId
  noteTimelineChanged(client, id)
  void client.invalidateQueries({ queryKey: conversationQueries.searches(id) })
  const { queryKey } = conversationQueries.messages(id)
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  const refetch = () => client.invalidateQueries({ queryKey })
  // The first fetch is not cancelled by another one, and may have read what was there before.
  if (query.state.data === undefined) void query.promise?.then(refetch, () => undefined)
  else void refetch()
}

/** Removes a message that no longer exists from the timeline of its conversation. */
export function dropMessage(client: QueryClient, { id, conversationId }: Message): void {
  patchQueries<MessagePages>(client, conversationQueries.messages(conversationId).queryKey, (data) => ({
    ...data,
    pages: data.pages.map((page) =>
      page.some((each) => each.id === id) ? page.filter((each) => each.id !== id) : page,
    ),
  }))
}

/** The message may be quoted in another conversation of the same contact. */
function patchQuotes(client: QueryClient, message: Message): void {
  patchQueries<MessagePages>(client, conversationQueries.timelines, (data) => {
    const pages = requote(data.pages, [message])
    return pages === data.pages ? data : { ...data, pages }
  })
}

/** Fetches the figures, after a fetch under way: that one may have been counted before. */
export function refetchStats(_event: LiveEvent, client: QueryClient): void {
  const { queryKey } = conversationQueries.stats()
  const refetch = () => client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  const query = client.getQueryCache().find({ queryKey })
  if (query?.state.fetchStatus !== 'fetching') return void refetch()
  void query.promise?.catch(() => undefined).then(refetch)
}
