// Clients' telephone numbers as people see them from whom they are hidden: '(11) •••• -7777'.

const dots = '••••'

/** How many digits at its end stay visible. */
export const shownDigits = 4

/** Whether a text is, or has in it, what is shown in place of a number. */
export const isMasked = (text: string): boolean => text.includes('•')

/**
 * What is shown in place of a number: its area, where it is Brazilian, and its end. What was masked before
 * stays as it is.
 * @param phone in any spelling
 */
export function maskPhone(phone: string): string {
  if (isMasked(phone)) return phone
  const digits = phone.normalize('NFKC').replace(/\D/g, '')
  const end = endOf(digits)
  const [, free] = /^(?:55|0)([3589]00)\d{7}$/.exec(digits) ?? []
  if (free !== undefined) return `0${free} ••• ${end}`
  const [, area] = /^(?:55)?0?([1-9]\d)9?\d{8}$/.exec(digits) ?? []
  return area === undefined ? `+${dots} -${end}` : `(${area}) ${dots} -${end}`
}

/**
 * Eight digits or more, set apart as those of a number are, and what makes an address of them
 * ('5511987347777:12@s.whatsapp.net'). Fewer tell nobody's number. What is none, such as a postal code in the
 * name of a company, is masked with them.
 */
const phoneIn =
  /[+(]{0,2}\p{Nd}(?:[\s().+\p{Pd}\p{Cf}]{0,3}\p{Nd}){7,}(?:(?::\d{1,5})?@(?:s\.whatsapp\.net|c\.us))?/gu
const isoDay = /^\d{4}-\d\d-\d\d$/

/** A text with every number in it masked. */
export const maskPhonesIn = (text: string): string =>
  text.replace(phoneIn, (found) => (isoDay.test(found) ? found : maskPhone(found.split(/[:@]/, 1)[0] ?? '')))

/** An id without the digits of a chat's address ('5511987347777@s.whatsapp.net'). */
export const maskAddressesIn = (text: string): string =>
  text.replace(/\d{8,15}(?=(?::\d{1,5})?@(?:s\.whatsapp\.net|c\.us))/g, (digits) => `${dots}${endOf(digits)}`)

const endOf = (digits: string) => digits.slice(-shownDigits)
