/** Between two groups of digits: spaces, brackets, dashes, dots, or nothing. */
const gap = '[^0-9A-Za-z]{0,3}'

/**
 * A regular expression, for JavaScript and for PostgreSQL, of a telephone number in all its spellings: with
 * and without country code, with and without the ninth digit of a Brazilian mobile and its like, with any
 * punctuation, and in a jid. Not within a longer number.
 * @param phone in the normal form of shared/text/phones
 */
export function phonePattern(phone: string): string {
  const [, area, mobile, first, last] = /^55(\d\d)(9(?=\d{8}$))?(\d{4})(\d{4})$/.exec(phone) ?? []
  const number =
    area === undefined
      ? abroad(phone)
      : `(?:55${gap})?0?${area}${gap}${mobile === undefined ? '' : `(?:9${gap})?`}${first}${gap}${last}`
  return `(?<![0-9])(?:00${gap})?${number}(?![0-9])`
}

/** Mobiles of Argentina with and without their 9, and those of Mexico with and without a 1. */
function abroad(phone: string): string {
  const [, country, sign, rest] = /^(54)(9)(\d{10})$/.exec(phone) ?? /^(52)(1?)(\d{10})$/.exec(phone) ?? []
  const spaced = (digits: string) => Array.from(digits).join(gap)
  if (country === undefined || rest === undefined) return spaced(phone)
  return `${spaced(country)}${gap}(?:${sign || '1'}${gap})?${spaced(rest)}`
}

/** The same for the digits of a LID. */
export const lidPattern = (lid: string): string => `(?<![0-9])${lid}(?![0-9])`

/** What every spelling contains, so that a LIKE can pass over most texts. */
export const tailOf = (digits: string): string => digits.slice(-4)
