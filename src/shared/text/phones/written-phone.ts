import { plainSigns } from '#shared/text/plain-signs.ts'

/** What somebody has written as a telephone number. */
export interface WrittenPhone {
  digits: string
  /** They begin with a country code. */
  isInternational: boolean
  /** Written as a local number is, '98765-4321', and not as a date or a postal code. */
  isLocal: boolean
  /** Without brackets, which stand around an area code. */
  isPlain: boolean
}

/** A link may be longer than any number. */
const longest = 200

const invalid = { problem: 'Telefone inválido' }

/** Reads the signs of a number, or says in Portuguese why they are none. */
export function writtenPhone(typed: string): WrittenPhone | { problem: string } {
  if (typed.length > longest) return invalid
  const text = plainSigns(typed)
    .trim()
    .replace(/^'/, '')
    .replace(/[·•‧∙]/g, '.')
  const linked = linkedDigits(text)
  if (linked !== undefined) return international(linked)
  const number = withoutDecimals(text.replace(/^tel:/i, '').trim())
  if (number === undefined) return { problem: 'A planilha abreviou este número: falta o fim dele' }
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(number)) return { problem: 'Isto é um CPF, não um telefone' }
  const afterPlus = number.replace(/^\(? ?\+/, '')
  if (!/^[\d ().-]*$/.test(afterPlus)) return invalid
  if (afterPlus !== number) return international(afterPlus.replace('(0)', '').replace(/\D/g, ''))
  const digits = number.replace(/\D/g, '')
  // As in most countries; Brazil's own code for calls abroad begins with the same zeros.
  if (digits.startsWith('00')) return international(digits.slice(2))
  return {
    digits,
    isInternational: false,
    isLocal: /^(?:9[-. ]?)?\d{4}[-. ]?\d{4}$/.test(number),
    isPlain: !number.includes('('),
  }
}

const international = (digits: string): WrittenPhone => ({
  digits,
  isInternational: true,
  isLocal: true,
  isPlain: true,
})

const chatLink = /^(?:https?:\/\/)?(?:www\.)?wa\.me\/\+?(\d{8,15})(?:[/?#]|$)/i
const sendLink = /^(?:(?:https?:\/\/)?(?:api|web)\.whatsapp\.com|whatsapp:\/)\/send\/?\?(.*)$/i

/** The digits in a link to a chat, or in an address of WhatsApp as other programs export it. */
function linkedDigits(text: string): string | undefined {
  const [, ofAddress] = /^\+?(\d{8,15})@(?:s\.whatsapp\.net|c\.us)$/i.exec(text) ?? []
  const [, ofChat] = chatLink.exec(text) ?? []
  const asked = sendLink.exec(text)?.[1]?.split('&') ?? []
  const named = asked.find((part) => part.startsWith('phone='))
  return ofAddress ?? ofChat ?? /^phone=(?:\+|%2B)?(\d{8,15})$/i.exec(named ?? '')?.[1]
}

/**
 * A number without what a spreadsheet makes of it: '41987654301.0', '4,1987654301E+10'.
 * @returns undefined where digits are lost
 */
function withoutDecimals(text: string): string | undefined {
  const [, whole] = /^(\+?\d{8,15})[.,]0{1,2}$/.exec(text) ?? []
  if (whole !== undefined) return whole
  const [, first, more = '', exponent] = /^(\d)(?:[.,](\d{1,15}))?E\+?(\d{1,2})$/i.exec(text) ?? []
  if (first === undefined) return text
  return more.length === Number(exponent) ? first + more : undefined
}
