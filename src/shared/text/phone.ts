/**
 * The normal form of a telephone number: digits with country code, Brazilian mobiles with the ninth digit.
 * WhatsApp omits the 9 of many Brazilian mobiles (`552188887777`) while people write it (`5521988887777`), so
 * both become the longer form. Landlines (first digit 2 to 5) are not changed.
 * @returns undefined without digits, or with more than E.164 allows
 * @see decisions §2 'contact phone required, unique'
 */
export function normalizePhone(raw: string): string | undefined {
  let digits = raw.replace(/\D/g, '')
  const isInternational = raw.trim().startsWith('+')
  if (!isInternational && (digits.length === 10 || digits.length === 11)) digits = `55${digits}`
  if (digits.length < 8 || digits.length > 15) return undefined
  const shortMobile = /^55([1-9]\d)([6-9]\d{7})$/.exec(digits)
  return shortMobile ? `55${shortMobile[1]}9${shortMobile[2]}` : digits
}

/** '(11) 98734-2210' for Brazilian numbers, '+351912345678' for others. @param phone in its normal form */
export function formatPhone(phone: string): string {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(phone)
  return brazilian ? `(${brazilian[1]}) ${brazilian[2]}-${brazilian[3]}` : `+${phone}`
}

/** A number that somebody typed: a Brazilian one as '(11) 4002-8922', anything else as it is. */
export function phoneAsTyped(typed: string): string {
  const digits = typed.replace(/\D/g, '')
  const national = /^(?:55)?(\d{10,11})$/.exec(digits)
  return national && /^[\d\s().+-]+$/.test(typed) ? formatPhone(`55${national[1]}`) : typed
}
