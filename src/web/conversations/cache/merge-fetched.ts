/**
 * Merges fetched rows with rows that were pushed while the fetch was under way. Pure functions, called by the
 * cache.
 */
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import { isInView, listOrder, type ListView, orderOf, ranked } from './list-order.ts'
import type { PushedSince } from './pushed-since.ts'

/** The row with the higher `version`; of equal versions, the one that arrived last. */
export function keepNewer<Row extends { version: number }>(old: Row | null | undefined, next: Row): Row {
  return old && old.version > next.version ? old : next
}

/** The fetched open conversations, updated with everything pushed since the fetch started. */
export function mergeOpen(fetched: readonly Conversation[], pushed: PushedSince): Conversation[] {
  const rows = new Map(fetched.map((row) => [row.id, row]))
  for (const { id, row } of pushed.rows) {
    const next = row && keepNewer(rows.get(id), row)
    if (next && next.status !== 'completed') rows.set(id, next)
    else rows.delete(id)
  }
  return ranked([...rows.values()].map((row) => withCard(row, pushed)).sort(listOrder))
}

/**
 * Updates and removes rows of a page. It never adds one: what belongs to a page depends on its neighbours.
 */
export function mergePage(page: ConversationPage, pushed: PushedSince, view: ListView): ConversationPage {
  const merged = pushed.rows.reduce((before, { id, row }) => patchPage(before, id, row, view), page)
  return { ...merged, conversations: merged.conversations.map((row) => withCard(row, pushed)) }
}

/**
 * @param fetched null if the conversation does not exist or is not visible to this person
 * @param listed its row in the list of open conversations
 */
export function mergeOne(
  id: number,
  fetched: Conversation | null,
  listed: Conversation | undefined,
  pushed: PushedSince,
): Conversation | null {
  const entry = pushed.rows.find((each) => each.id === id)
  if (!fetched || entry?.row === null) return null
  // Of equal versions the pushed row wins: positions in the queue have no version.
  const row = entry ? keepNewer(fetched, entry.row) : keepNewer(listed, fetched)
  return withCard(row, pushed)
}

function withCard(row: Conversation, { cards }: PushedSince): Conversation {
  const contact = cards.get(row.contact.id)
  return contact ? { ...row, contact } : row
}

/** @returns the same object if nothing on this page changes */
export function patchPage(
  page: ConversationPage,
  id: number,
  row: Conversation | null,
  view: ListView,
): ConversationPage {
  const index = page.conversations.findIndex((each) => each.id === id)
  const old = page.conversations[index]
  if (!old) return page
  const next = row && keepNewer(old, row)
  if (next === old) return page
  if (next && next.status !== 'completed' && isInView(next, view))
    return { ...page, conversations: page.conversations.with(index, next).sort(orderOf(view)) }
  const totalItems = Math.max(0, page.pagination.totalItems - 1)
  return {
    conversations: page.conversations.toSpliced(index, 1),
    pagination: { ...page.pagination, totalItems },
  }
}

/**
 * My readings updated with one; the later of two readings of a conversation stays.
 * @returns the same object if it was known
 */
export function patchReads(reads: ConversationRead[], pushed: ConversationRead): ConversationRead[] {
  const index = reads.findIndex(({ conversationId }) => conversationId === pushed.conversationId)
  const old = reads[index]
  if (!old) return [...reads, pushed].sort((a, b) => a.conversationId - b.conversationId)
  return Date.parse(old.updatedAt) >= Date.parse(pushed.updatedAt) ? reads : reads.with(index, pushed)
}

/**
 * My drafts updated with one, or without it (null); the later of two drafts of a conversation stays.
 * @returns the same object if it was known
 */
export function patchDrafts(drafts: Draft[], conversationId: number, pushed: Draft | null): Draft[] {
  const old = drafts.find((draft) => draft.conversationId === conversationId)
  if (!old && !pushed) return drafts
  if (old && pushed && Date.parse(old.updatedAt) > Date.parse(pushed.updatedAt)) return drafts
  const others = drafts.filter((draft) => draft !== old)
  return pushed ? [...others, pushed].sort((a, b) => a.conversationId - b.conversationId) : others
}

/** Messages are ordered by (sortAt, id). */
export function messageOrder(a: Pick<Message, 'sortAt' | 'id'>, b: Pick<Message, 'sortAt' | 'id'>): number {
  return Date.parse(a.sortAt) - Date.parse(b.sortAt) || a.id - b.id
}

export const messagePageSize = 200

/** Newest page first; within a page, oldest message first. */
export interface MessagePages {
  pages: Message[][]
  pageParams: unknown[]
}

/**
 * Merges fetched pages with what was pushed meanwhile. A cached row that the fetch lacks was pushed after it
 * started, or no longer fits on the last page, where it is kept unless that would leave a gap, or is gone.
 * @param pushedSince messages of any conversation that were pushed since the fetch started
 * @param keepsOlder whether rows beyond the last page may be kept; not if some of them may be gone
 */
export function mergeMessages(
  old: MessagePages | undefined,
  fetched: MessagePages,
  pushedSince: readonly Message[],
  keepsOlder = true,
): MessagePages {
  if (!old) return { ...fetched, pages: requote(fetched.pages, pushedSince) }
  const pushed = new Set(pushedSince.map(({ id }) => id))
  const known = new Map(old.pages.flat().map((message) => [message.id, message]))
  const pages = fetched.pages.map((page) => page.map((next) => keepNewer(known.get(next.id), next)))
  const merged = new Set(pages.flat().map((message) => message.id))
  const oldest = pages.at(-1)
  const first = (oldest?.length ?? 0) >= messagePageSize ? oldest?.[0] : undefined
  const overlaps = keepsOlder && [...known.keys()].some((id) => merged.has(id))
  const missing = [...known.values()].filter(
    (message) =>
      !merged.has(message.id) &&
      (first !== undefined && messageOrder(message, first) < 0 ? overlaps : pushed.has(message.id)),
  )
  return { pages: requote(missing.reduce(insertMessage, pages), pushedSince), pageParams: fetched.pageParams }
}

/**
 * Updates quotes to the current text and conversation of the quoted messages, whichever arrived last.
 * @param elsewhere messages of other conversations that may be quoted here
 * @returns the same object if no quote changes
 */
export function requote(pages: Message[][], elsewhere: readonly Message[] = []): Message[][] {
  const originals = new Map([...elsewhere, ...pages.flat()].map((message) => [message.id, message]))
  let isChanged = false
  const next = pages.map((page) =>
    page.map((message) => {
      const original = originals.get(message.quoted?.messageId ?? 0)
      if (!original || message.quoted === null) return message
      const updated = quoteOf(original)
      const { quoted } = message
      if (
        updated.content === quoted.content &&
        updated.conversationId === quoted.conversationId &&
        updated.messageType === quoted.messageType &&
        updated.deletedAt === quoted.deletedAt
      )
        return message
      isChanged = true
      return { ...message, quoted: { ...updated, ...(quoted.isStatus && { isStatus: true }) } }
    }),
  )
  return isChanged ? next : pages
}

const quoteLength = 300

/** A message as it is quoted. */
export function quoteOf(message: Message): NonNullable<Message['quoted']> {
  const { id: messageId, conversationId, senderType, messageType, deletedAt, metadata } = message
  const { senderId, senderName } = message
  return {
    messageId,
    conversationId,
    senderType,
    messageType,
    // Cut by code points, as the server does; one of them takes two units at most.
    content: Array.from(message.content.slice(0, 2 * quoteLength))
      .slice(0, quoteLength)
      .join(''),
    deletedAt,
    ...(senderId !== null && senderName !== null && { senderId, senderName }),
    ...(metadata.origin && { origin: metadata.origin }),
  }
}

/** Inserts a message into the page that covers its time, or replaces its older version. */
export function insertMessage(pages: Message[][], message: Message): Message[][] {
  for (const [at, page] of pages.entries()) {
    const index = page.findIndex((each) => each.id === message.id)
    const old = page[index]
    if (old) return keepNewer(old, message) === old ? pages : pages.with(at, page.with(index, message))
  }
  const later = pages.findIndex((page) => page[0] !== undefined && messageOrder(page[0], message) <= 0)
  const at = later === -1 ? pages.findLastIndex((page) => page.length > 0) : later
  if (at === -1) return pages.length === 0 ? [[message]] : pages.with(0, [message])
  return pages.with(at, [...(pages[at] ?? []), message].sort(messageOrder))
}
