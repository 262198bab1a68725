import type { QueryClient } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import type { ConversationRead } from '#shared/conversations/reads.ts'

/** What was pushed since a fetch started; it takes precedence over the fetch's result. */
export interface PushedSince {
  /** null: no longer visible to this person. */
  rows: { id: number; row: Conversation | null }[]
  /** By contact id. A card has no version, and any conversation of the contact may bring it. */
  cards: Map<number, Conversation['contact']>
}

/** Entries kept of each kind. After more pushes than this, most rows have been pushed again anyway. */
const mostKept = 5000

/** The latest pushed value of each id with its time, newest last. */
function createNotes<Value>() {
  const byClient = new WeakMap<QueryClient, Map<number, { value: Value; atMs: number }>>()
  return {
    put(client: QueryClient, id: number, value: Value): void {
      const notes = byClient.get(client) ?? new Map<number, { value: Value; atMs: number }>()
      notes.delete(id)
      byClient.set(client, notes.set(id, { value, atMs: Date.now() }))
      const [oldest] = notes.keys()
      if (oldest !== undefined && notes.size > mostKept) notes.delete(oldest)
    },
    drop(client: QueryClient, isGone: (value: Value) => boolean): void {
      const notes = byClient.get(client)
      for (const [id, { value }] of notes ?? []) if (isGone(value)) notes?.delete(id)
    },
    last: (client: QueryClient, id: number): Value | undefined => byClient.get(client)?.get(id)?.value,
    since: (client: QueryClient, leftAtMs: number): [id: number, value: Value][] =>
      [...(byClient.get(client) ?? [])].flatMap(([id, { value, atMs }]) =>
        atMs < leftAtMs ? [] : [[id, value]],
      ),
  }
}

const rows = createNotes<Conversation | null>()
const cards = createNotes<Conversation['contact']>()
const messages = createNotes<Message>()
const reads = createNotes<ConversationRead>()
const drafts = createNotes<Draft | null>()

/**
 * Records a conversation that was pushed, or returned by a mutation of this tab; never one that was merely
 * fetched.
 */
export function noteConversation(client: QueryClient, id: number, row: Conversation | null): void {
  rows.put(client, id, row)
  if (row) noteContact(client, row.contact)
}

/** The conversation as it was pushed last; undefined if never, or too long ago. */
export function lastPushed(client: QueryClient, id: number): Conversation | undefined {
  return rows.last(client, id) ?? undefined
}

export function noteContact(client: QueryClient, card: Conversation['contact']): void {
  cards.put(client, card.id, card)
}

/** Records a pushed message: a fetch that started earlier may not contain it. */
export function noteMessage(client: QueryClient, message: Message): void {
  messages.put(client, message.id, message)
}

/** When messages were last removed from a conversation, or moved; until it is fetched again. */
const outdatedTimelines = new WeakMap<QueryClient, Map<number, number>>()

/**
 * Records that messages left or entered a conversation. Which ones is not known, so none that was pushed
 * before is added to a fetch any more.
 */
export function noteTimelineChanged(client: QueryClient, conversationId: number): void {
  messages.drop(client, (message) => message.conversationId === conversationId)
  const outdated = outdatedTimelines.get(client) ?? new Map<number, number>()
  outdatedTimelines.set(client, outdated.set(conversationId, Date.now()))
}

/**
 * Called when a fetch of a conversation's messages lands.
 * @returns whether cached ones may be gone: the fetch is the first since messages were removed or moved
 */
export function replacesTimeline(client: QueryClient, conversationId: number, leftAtMs: number): boolean {
  const outdated = outdatedTimelines.get(client)
  const changedAtMs = outdated?.get(conversationId)
  if (changedAtMs === undefined || leftAtMs < changedAtMs) return false
  outdated?.delete(conversationId)
  return true
}

export function pushedSince(client: QueryClient, leftAtMs: number): PushedSince {
  return {
    rows: rows.since(client, leftAtMs).map(([id, row]) => ({ id, row })),
    cards: new Map(cards.since(client, leftAtMs)),
  }
}

export function messagesPushedSince(client: QueryClient, leftAtMs: number): Message[] {
  return messages.since(client, leftAtMs).map(([, message]) => message)
}

/** Records one of my readings that was pushed or returned by a mutation. */
export function noteRead(client: QueryClient, read: ConversationRead): void {
  reads.put(client, read.conversationId, read)
}

export function readsPushedSince(client: QueryClient, leftAtMs: number): ConversationRead[] {
  return reads.since(client, leftAtMs).map(([, read]) => read)
}

/** Records one of my drafts that was pushed or returned by a save; null after it was removed. */
export function noteDraft(client: QueryClient, conversationId: number, draft: Draft | null): void {
  drafts.put(client, conversationId, draft)
}

/** The draft of a conversation as it was pushed last. */
export function lastPushedDraft(client: QueryClient, conversationId: number): Draft | undefined {
  return drafts.last(client, conversationId) ?? undefined
}

export function draftsPushedSince(
  client: QueryClient,
  leftAtMs: number,
): [conversationId: number, draft: Draft | null][] {
  return drafts.since(client, leftAtMs)
}
