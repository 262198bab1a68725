import type { Conversation } from '#shared/conversations/conversations.ts'
import { fold } from '#shared/text/fold.ts'

type Searched = { contact: Pick<Conversation['contact'], 'name' | 'phone'>; protocol?: string }

/**
 * Matches the name regardless of case and accents or, if the search is a number in any notation, digits
 * contained in the phone number or the protocol. The server's list has the same rule.
 * @see specification §5 Active list search
 */
export function searchedBy(search: string): (row: Searched) => boolean {
  const wanted = fold(search.trim())
  const digits = /^[\d\s()+.-]+$/.test(wanted) ? wanted.replace(/\D/g, '') : ''
  return ({ contact, protocol }) =>
    fold(contact.name).includes(wanted) ||
    (digits !== '' && [contact.phone, protocol].some((number) => number?.includes(digits)))
}
