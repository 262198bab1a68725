import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { fold } from '#shared/text/fold.ts'
import { formatPhone, searchedDigits } from '#shared/text/phone.ts'

/** Number of results shown per kind. */
export const mostOfAKind = 8

/** A searchable text, folded once. */
export interface Searchable {
  /** Texts that begin with the query come first. */
  title: string
  /** Every searchable text, including the title. */
  all: string
}

export function searchable(title: string, ...more: (string | null | undefined)[]): Searchable {
  const folded = fold(title)
  return { title: folded, all: fold([title, ...more].filter(Boolean).join(' ')) }
}

export const searchableConversation = ({ contact, protocol }: Conversation): Searchable =>
  searchable(contact.name, contact.company?.name, ...phoneForms(contact.phone), protocol)

/** The text by which the server finds it. */
export const searchableContact = (item: Contact): { item: Contact; text: Searchable } => ({
  item,
  text: searchable(item.name, item.email, ...phoneForms(item.phone)),
})

const phoneForms = (phone: string | null) => (phone ? [phone, formatPhone(phone)] : [])

export interface Found<Item> {
  items: Item[]
  /** Rank of the best match: 0 it begins with the query, 1 a word of it does, 2 it contains it. */
  rank: number
}

/**
 * The items that contain every word of the query, best first, equal ones in the given order.
 * @param query as typed; blank matches everything equally
 * @param phone the normal form of a query that is a whole number, for what is not found as it was typed; else
 *   the digits are looked for
 */
export function findIn<Item>(
  items: readonly { item: Item; text: Searchable }[],
  query: string,
  phone?: string,
): Found<Item> {
  const found = findWords(items, query)
  const number = phone ?? searchedDigits(query)
  return number === '' || found.items.length > 0 ? found : findWords(items, number)
}

function findWords<Item>(items: readonly { item: Item; text: Searchable }[], query: string): Found<Item> {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return { items: items.map(({ item }) => item), rank: 0 }
  const ranked: Item[][] = [[], [], []]
  for (const { item, text } of items)
    if (words.every((word) => text.all.includes(word))) ranked[rankOf(text, words)]?.push(item)
  return { items: ranked.flat(), rank: ranked.findIndex((some) => some.length > 0) }
}

function rankOf({ title }: Searchable, words: readonly string[]): number {
  if (title.startsWith(words.join(' '))) return 0
  return words.every((word) => ` ${title}`.includes(` ${word}`)) ? 1 : 2
}
