/** WhatsApp addresses: `5511987654321@s.whatsapp.net`, `182736455463728@lid`. */

const phoneSuffix = '@s.whatsapp.net'
const lidSuffix = '@lid'

export function phoneJid(number: string) {
  return `${number}${phoneSuffix}`
}
export function lidJid(lid: string) {
  return `${lid}${lidSuffix}`
}
export function isLid(jid: string) {
  return jid.endsWith(lidSuffix)
}
export function isPhoneJid(jid: string) {
  return jid.endsWith(phoneSuffix)
}
export function isGroup(jid: string) {
  return jid.endsWith('@g.us')
}
export function userOf(jid: string) {
  return jid.split('@')[0]?.split(':')[0] ?? ''
}

/**
 * The other form of a Brazilian mobile number, without or with its 9th digit; undefined when there is none.
 */
export function otherBrazilianForm(number: string): string | undefined {
  if (!number.startsWith('55')) return undefined
  // Eight digits beginning with 2 to 5 are a landline, which never has a 9th digit.
  if (/^55\d{2}9[6-9]\d{7}$/.test(number)) return number.slice(0, 4) + number.slice(5)
  if (number.length === 12 && /[6-9]/.test(number[4] ?? '')) return `${number.slice(0, 4)}9${number.slice(4)}`
  return undefined
}

/**
 * The other form of a mobile that has two: of Brazil, Argentina (with and without 9) and Mexico (with and
 * without 1). Evolution asks WhatsApp for both.
 */
export function otherForm(number: string): string | undefined {
  const [, country, sign, rest] = /^(54)(9)?(\d{10})$/.exec(number) ?? /^(52)(1)?(\d{10})$/.exec(number) ?? []
  if (country === undefined || rest === undefined) return otherBrazilianForm(number)
  if (sign !== undefined) return country + rest
  return country === '54' ? `549${rest}` : `521${rest}`
}

/**
 * The jid Evolution makes of the `number` of a call: a jid is kept, digits get the phone suffix, the 9th
 * digit is dropped where the area code is 31 or more and the number begins with 7 or more, and so are the 9
 * of Argentina and the 1 of Mexico.
 */
export function createJid(number: string): string {
  if (number.includes('@')) return number.replace(/:\d+/, '')
  const plain = number.replace(/\D/g, '')
  const [, country, area, rest] = /^(\d{2})(\d{2})\d(\d{8})$/.exec(plain) ?? []
  const losesNinth = country === '55' && Number(area) >= 31 && Number(rest?.[0]) >= 7
  if (losesNinth) return phoneJid(`55${area}${rest}`)
  return phoneJid(/^5[24]\d{11}$/.test(plain) ? plain.slice(0, 2) + plain.slice(3) : plain)
}

/** `(11) 98734-2210` for a Brazilian number, `+` and the digits for any other. */
export function showNumber(number: string): string {
  const [, area, first, last] = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number) ?? []
  return area ? `(${area}) ${first}-${last}` : `+${number}`
}
