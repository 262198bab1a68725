import { wordsOf } from '#shared/text/words.ts'
import type { Stems } from './search-query.ts'

/** A message, as it is searched. */
export interface SearchedMessage {
  id: number
  /** Its text, the name of its file, and what else it shows. */
  texts: readonly string[]
}

/** What is searched in a conversation. */
export interface SearchedConversation {
  /** Name, company and tags of the contact, the protocol, and notes. */
  card: readonly string[]
  /** In order. */
  messages: readonly SearchedMessage[]
}

/** A row of the index. */
export interface SearchPart {
  /** In PostgreSQL's notation of a tsvector. */
  words: string
  /** The first and the last message whose words have places here; null for a conversation in one part. */
  firstMessageId: number | null
  lastMessageId: number | null
  /** Its newest message; null without any. */
  newestId: number | null
}

/** PostgreSQL keeps no place beyond 16,383, and no more than 255 of one word. */
const mostPlaces = 8000
const mostPlacesOfWord = 255
/** A part with so many of one word is full: the next message may have some more. */
const fullAt = 200
/** Between two texts, so that no phrase is found across them. */
const gap = 2

/** The words as they are written in conversations, for `stemsOf`. */
export function allWords(conversations: Iterable<SearchedConversation>): Set<string> {
  const written = new Set<string>()
  const add = (text: string) => wordsOf(text).forEach(({ lower }) => written.add(lower))
  for (const { card, messages } of conversations) {
    card.forEach(add)
    for (const { texts } of messages) texts.forEach(add)
  }
  return written
}

/** Words with their places in one part. */
class PartWords {
  readonly places = new Map<string, number[]>()
  next = 1
  first: number | null = null
  last: number | null = null
  isFull = false

  add(text: string, stems: Stems): void {
    for (const { folded, lower } of wordsOf(text)) {
      this.#note(folded)
      for (const stem of stems.get(lower) ?? []) if (stem !== folded) this.#note(stem)
      this.next++
    }
    this.next += gap
    if (this.next > mostPlaces) this.isFull = true
  }

  #note(word: string): void {
    const known = this.places.get(word)
    if (known === undefined) this.places.set(word, [this.next])
    else if (known.length < mostPlacesOfWord && known.at(-1) !== this.next) {
      known.push(this.next)
      if (known.length >= fullAt) this.isFull = true
    }
  }
}

/**
 * The rows of the index for a conversation. A long one has several: each has the places of its own words, for
 * phrases, and the words of the whole conversation without places.
 * @param of an open conversation: each part has its own words only; of its end: other parts come before
 */
export function toParts(
  { card, messages }: SearchedConversation,
  stems: Stems,
  of: 'completed' | 'open' | 'end' = 'completed',
): SearchPart[] {
  const parts: PartWords[] = []
  const begin = () => {
    const part = new PartWords()
    for (const text of card) part.add(text, stems)
    parts.push(part)
    return part
  }
  let part = begin()
  for (const { id, texts } of messages) {
    if (part.isFull) part = begin()
    part.first ??= id
    part.last = id
    for (const text of texts) part.add(text, stems)
  }
  if (parts.length === 1 && of !== 'end')
    return parts.map(({ places, last }) => ({
      words: toVector(places),
      firstMessageId: null,
      lastMessageId: null,
      newestId: last,
    }))
  const all = new Set(of === 'completed' ? parts.flatMap(({ places }) => [...places.keys()]) : [])
  return parts.map(({ places, first, last }) => ({
    words: toVector(places, all),
    firstMessageId: first,
    lastMessageId: last,
    newestId: last,
  }))
}

const furthestPlace = 16_383

function toVector(places: ReadonlyMap<string, readonly number[]>, others: Iterable<string> = []): string {
  const lexemes: string[] = []
  for (const [word, at] of places) {
    const kept = at.filter((place) => place <= furthestPlace)
    lexemes.push(kept.length > 0 ? `'${word}':${kept.join(',')}` : `'${word}'`)
  }
  for (const word of others) if (!places.has(word)) lexemes.push(`'${word}'`)
  return lexemes.join(' ')
}
