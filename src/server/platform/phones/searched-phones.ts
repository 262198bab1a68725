import { and, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { shownDigits } from '#shared/contacts/masked-phone.ts'

// By what somebody finds clients from whom telephone numbers are hidden: by the digits that they see, and by
// a whole number, which they know. By any other digits a number could be found out, one after the other.

/** All that `maskPhonesIn` masks, and digits that other signs set apart. */
const phonePattern = String.raw`\d([^[:alnum:]]{0,3}\d){7}`

/** A person's view of numbers. */
export interface PhoneReader {
  hidesPhones: boolean
}

/** Whether a name has a number in it, as that of a contact of whom no other name is known. */
export const hasPhone = (name: SQLWrapper): SQL => sql`${name} ~ ${phonePattern}`

/**
 * Whether a number is looked for by these digits.
 * @param search.digits '' for what is no part of a number
 * @param search.whole the whole number, if it is one
 */
export function isPhoneSearched(
  who: PhoneReader,
  phone: SQLWrapper,
  { digits, whole }: { digits: string; whole: string | undefined },
): SQL | undefined {
  const contains = digits === '' ? undefined : sql`${phone} like ${`%${digits}%`}`
  const isWhole = whole === undefined ? undefined : sql`${phone} = ${whole}`
  if (!who.hidesPhones) return or(contains, isWhole)
  if (digits.length > shownDigits) return isWhole
  // The first of the two is looked up in the index.
  return or(contains && and(contains, sql`right(${phone}, ${shownDigits}) like ${`%${digits}%`}`), isWhole)
}

/** Whether a name is looked for by a word: not by the digits of a number in it. */
export function isNameSearched(who: PhoneReader, name: SQLWrapper, word: string, contains: SQL): SQL {
  return who.hidesPhones && /\p{Nd}/u.test(word) ? sql`(${contains} and not ${hasPhone(name)})` : contains
}

/**
 * Whether a message is a text of the product in which the number of its client stands.
 * @param alias of the table of messages
 */
export const tellsOwnNumberIn = (
  alias: 'm' | 'messages',
): SQL => sql`(${sql.raw(alias)}.metadata ->> 'origin' in ('automatic', 'assistant') and exists (
  select from conversations o join contacts k on k.id = o.contact_id
   where o.id = ${sql.raw(alias)}.conversation_id
     and regexp_replace(${sql.raw(alias)}.content, '[^0-9]', '', 'g') like '%' || right(k.phone, 8) || '%'))`

export const tellsOwnNumber: SQL = tellsOwnNumberIn('m')

/** By what a list by name is ordered: names that are numbers stand at its end, in no order of theirs. */
export const orderOfName = (who: PhoneReader, name: SQLWrapper): SQL =>
  who.hidesPhones ? sql`case when ${hasPhone(name)} then '~' else ${name} end` : sql`${name}`
