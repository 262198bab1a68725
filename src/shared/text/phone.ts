import { isMasked } from '#shared/contacts/masked-phone.ts'
import { plainSigns } from './plain-signs.ts'

// How telephone numbers are shown, and looked for while they are typed. All pages load this; what a number
// is, and whether it exists, says phones/read-phone.ts, which is large.

/** Numbers of no area, such as 0800. Their first digits are no area code. */
const withoutArea = /^55([3589]00)(\d{3})(\d{4})$/

/**
 * '(11) 98734-2210' for Brazilian numbers, '+351912345678' for others.
 * @param phone in its normal form, or masked
 */
export function formatPhone(phone: string): string {
  if (isMasked(phone)) return phone
  const free = withoutArea.exec(phone)
  if (free) return `0${free[1]} ${free[2]} ${free[3]}`
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(phone)
  return brazilian ? `(${brazilian[1]}) ${brazilian[2]}-${brazilian[3]}` : `+${phone}`
}

/** A number that somebody typed: a Brazilian one as '(11) 4002-8922', anything else as it is. */
export function phoneAsTyped(typed: string): string {
  const digits = typed.replace(/\D/g, '').replace(/^0/, '')
  const national = /^(?:55)?(\d{10,11})$/.exec(digits)
  return national && /^[\d\s().+-]+$/.test(typed) ? formatPhone(`55${national[1]}`) : typed
}

/**
 * The digits of a Brazilian number with area code as it stands in a message or on a card, with country code
 * and ninth digit: enough for a link, before what is large is loaded.
 * @returns undefined for anything else
 */
export function brazilianPhone(written: string): string | undefined {
  const digits = written.replace(/\D/g, '')
  const [, area, mobile, eight] = /^(?:55)?([1-9][1-9])(?:9(\d{8})|([2-9]\d{7}))$/.exec(digits) ?? []
  if (area === undefined) return undefined
  const isLandline = eight !== undefined && eight < '6'
  return isLandline ? `55${area}${eight}` : `55${area}9${mobile ?? eight}`
}

/**
 * The digits by which a part of a number is looked for, of a search that may be one; '' for any other.
 * Without the zero of long-distance calls, which no stored number begins with.
 */
export function searchedDigits(search: string): string {
  const plain = plainSigns(search).trim()
  return /^[\d\s()+.-]+$/.test(plain) ? plain.replace(/\D/g, '').replace(/^0+(?=\d{2})/, '') : ''
}
