import type { QueryClient } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations.ts'
import type { Message } from '#shared/messages.ts'
import type { Draft } from '#shared/drafts.ts'
import type { ConversationRead } from '#shared/reads.ts'

/** What was told since a fetch left: it wins over what that fetch brings. */
export interface ToldSince {
  /** null: gone for this person. */
  rows: { id: number; row: Conversation | null }[]
  /** By contact: his name and number may be told with another conversation, and have no version. */
  cards: Map<number, Conversation['contact']>
}

/** Of each kind; who told so much since a fetch left has told of most of it again. */
const mostKept = 5000

/** Notes of what was told of an id and when, newest last. */
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

/** A conversation was pushed, or answered to an act of ours. Only that: what a fetch brought is told by nobody. */
export function noteConversation(client: QueryClient, id: number, row: Conversation | null): void {
  rows.put(client, id, row)
  if (row) noteContact(client, row.contact)
}

/** As the conversation was told last; undefined: never, or so long ago that nobody remembers. */
export function lastTold(client: QueryClient, id: number): Conversation | undefined {
  return rows.last(client, id) ?? undefined
}

export function noteContact(client: QueryClient, card: Conversation['contact']): void {
  cards.put(client, card.id, card)
}

/** A message was pushed: a fetch that left before may not know it. */
export function noteMessage(client: QueryClient, message: Message): void {
  messages.put(client, message.id, message)
}

export function toldSince(client: QueryClient, leftAtMs: number): ToldSince {
  return {
    rows: rows.since(client, leftAtMs).map(([id, row]) => ({ id, row })),
    cards: new Map(cards.since(client, leftAtMs)),
  }
}

export function messagesToldSince(client: QueryClient, leftAtMs: number): Message[] {
  return messages.since(client, leftAtMs).map(([, message]) => message)
}

/** A reading of mine was pushed, or answered to what I did. */
export function noteRead(client: QueryClient, read: ConversationRead): void {
  reads.put(client, read.conversationId, read)
}

export function readsToldSince(client: QueryClient, leftAtMs: number): ConversationRead[] {
  return reads.since(client, leftAtMs).map(([, read]) => read)
}

/** A draft of mine was pushed, or answered to what I wrote; null: there is none any more. */
export function noteDraft(client: QueryClient, conversationId: number, draft: Draft | null): void {
  drafts.put(client, conversationId, draft)
}

/** As the draft of a conversation was told last. */
export function lastDraftTold(client: QueryClient, conversationId: number): Draft | undefined {
  return drafts.last(client, conversationId) ?? undefined
}

export function draftsToldSince(
  client: QueryClient,
  leftAtMs: number,
): [conversationId: number, draft: Draft | null][] {
  return drafts.since(client, leftAtMs)
}
