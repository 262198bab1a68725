/** Between two groups of digits: spaces, brackets, dashes, dots, or nothing. */
const gap = '[^0-9A-Za-z]{0,3}'

/**
 * A regular expression, for JavaScript and for PostgreSQL, of a telephone number in all its spellings: with
 * and without country code, with and without the ninth digit of a Brazilian mobile, with any punctuation, and
 * in a jid. Not within a longer number.
 * @param phone in the normal form of shared/text/phone.ts
 */
export function phonePattern(phone: string): string {
  const [, area, mobile, first, last] = /^55(\d\d)(9(?=\d{8}$))?(\d{4})(\d{4})$/.exec(phone) ?? []
  const number =
    area === undefined
      ? Array.from(phone).join(gap)
      : `(?:55${gap})?0?${area}${gap}${mobile === undefined ? '' : `(?:9${gap})?`}${first}${gap}${last}`
  return `(?<![0-9])(?:00${gap})?${number}(?![0-9])`
}

/** The same for the digits of a LID. */
export const lidPattern = (lid: string): string => `(?<![0-9])${lid}(?![0-9])`

/** What every spelling contains, so that a LIKE can pass over most texts. */
export const tailOf = (digits: string): string => digits.slice(-4)
