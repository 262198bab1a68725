import type { Conversation } from '#shared/conversations/conversations.ts'
import { fold } from '#shared/text/fold.ts'
import { formatPhone, searchedDigits } from '#shared/text/phone.ts'

type Searched = { contact: Pick<Conversation['contact'], 'name' | 'phone'>; protocol?: string }

/** By contact, whose objects are replaced, not changed: folding thousands of names takes milliseconds. */
const foldedNames = new WeakMap<Searched['contact'], string>()

function foldedNameOf(contact: Searched['contact']): string {
  const known = foldedNames.get(contact)
  if (known !== undefined) return known
  const folded = fold(contact.name)
  foldedNames.set(contact, folded)
  return folded
}

/**
 * Matches the name regardless of case and accents or, if the search is a number in any notation, digits
 * contained in the phone number or the protocol.
 * @param phone the normal form of a search that is a whole number, which has more spellings than its digits
 * @see specification §5 Active list search
 */
export function searchedBy(search: string, phone?: string): (row: Searched) => boolean {
  const wanted = fold(search.trim())
  const digits = searchedDigits(search)
  // Of a number that is hidden as much is compared as is shown. As `maskPhone`, which no page needs besides.
  const masked = phone && formatPhone(phone).replace(/ \d+-|^\+\d+(?=\d{4})/, ([sign]) => `${sign}•••• -`)
  return ({ contact, protocol }) =>
    foldedNameOf(contact).includes(wanted) ||
    (phone !== undefined && (contact.phone === phone || contact.phone === masked)) ||
    (digits !== '' && [contact.phone, protocol].some((number) => number?.includes(digits)))
}
