import type { Conversation } from '#shared/conversations/conversations.ts'
import { fold } from '#shared/text/fold.ts'

/**
 * Matches the name regardless of case and accents, or digits contained in the phone number.
 * @see specification §5 Active list search
 */
export function searchedBy(search: string): (row: Conversation) => boolean {
  const wanted = fold(search.trim())
  if (wanted === '') return () => true
  const digits = wanted.replace(/\D/g, '')
  return ({ contact }) =>
    fold(contact.name).includes(wanted) || (digits !== '' && (contact.phone?.includes(digits) ?? false))
}
