import parsePhoneNumber from 'libphonenumber-js/max'
import { writtenPhone } from './written-phone.ts'

// Google's rules of all countries, which are large: only the server and forms that are open load this module.

/** A number in its normal form, or in Portuguese why it is none. */
export type ReadPhone = { phone: string } | { problem: string }

/**
 * Reads a telephone number as people, files and other programs write it. One without country code is
 * Brazilian; one without area code is of the given area, if there is one.
 * @param areaCode two digits
 */
export function readPhone(typed: string, areaCode?: string | null): ReadPhone {
  const written = writtenPhone(typed)
  if ('problem' in written) return written
  const { digits, isInternational, isPlain, isLocal } = written
  if (digits.length < 8) return { problem: 'Telefone deve ter pelo menos 10 dígitos' }
  if (/^55\d{10,14}$/.test(digits) || (isInternational && digits.startsWith('55')))
    return brazilian(withoutTrunk(digits.slice(2)), { isLocal, areaCode })
  if (isInternational) return abroad(digits)
  const national = withoutTrunk(digits)
  if (national.length <= 11) return brazilian(national, { isLocal, areaCode })
  // Other programs write numbers of other countries without '+'. One that is no longer than one of Brazil is
  // never taken for such a one: with a wrong digit it would become somebody else's.
  const other = isPlain && digits === national ? abroad(digits) : tooLong
  return 'phone' in other ? other : tooLong
}

/**
 * The telephone of a company: as that of a contact, or one of those that have the same eight digits in the
 * whole country, such as 4004-1234, which is kept so.
 */
export function readCompanyPhone(typed: string, areaCode?: string | null): ReadPhone {
  const written = writtenPhone(typed)
  const [, first, last] =
    /^(\d{4})(\d{4})$/.exec('digits' in written && written.isLocal ? written.digits : '') ?? []
  if (first !== undefined && isReal(`55${first}${last}`)) return { phone: `${first}-${last}` }
  return readPhone(typed, areaCode)
}

/**
 * The number of an address that WhatsApp gives, in its normal form; its digits where no such number is known,
 * since the person exists all the same.
 * @returns undefined for what cannot be stored as a number
 */
export function phoneOfAddress(digits: string): string | undefined {
  return knownPhone(digits) ?? (isStorable(digits) ? digits : undefined)
}

/** The area code of a Brazilian number. @param phone in its normal form */
export function areaCodeOf(phone: string): string | undefined {
  const [, areaCode] = /^55(\d{2})\d{8,9}$/.exec(phone) ?? []
  return areaCode !== undefined && isAreaCode(areaCode) ? areaCode : undefined
}

/** Whether it is, or may be, the number of a mobile telephone. @param phone in its normal form */
export function isMobile(phone: string): boolean {
  const type = parsePhoneNumber(`+${phone}`)?.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
}

const unknown = { problem: 'Este telefone não existe: confira os dígitos' }
const tooLong = { problem: 'Telefone com dígitos a mais' }

/** The zero of long-distance calls, and the two digits of the carrier after it: '0 15 41 98765-4321'. */
function withoutTrunk(digits: string): string {
  if (!digits.startsWith('0')) return digits
  const rest = digits.slice(1)
  return rest.length === 12 || rest.length === 13 ? rest.slice(2) : rest
}

interface Local {
  isLocal: boolean
  areaCode: string | null | undefined
}

/** @param national with or without area code */
function brazilian(national: string, { isLocal, areaCode }: Local): ReadPhone {
  if (national.length < 10) {
    if (!isLocal || !/^(?:9\d{8}|[2-9]\d{7})$/.test(national)) return unknown
    return areaCode
      ? brazilian(areaCode + national, { isLocal: false, areaCode })
      : { problem: 'Falta o DDD' }
  }
  const phone = knownPhone(`55${national}`)
  if (phone !== undefined) return { phone }
  if (national.length > 11) return tooLong
  const given = national.slice(0, 2)
  return isAreaCode(given) ? unknown : { problem: `O DDD ${given} não existe` }
}

function abroad(digits: string): ReadPhone {
  const phone = knownPhone(digits)
  return phone === undefined ? unknown : { phone }
}

const isAreaCode = (digits: string) => isReal(`55${digits}999999999`)

/**
 * The one form of a number that exists; undefined for any other. Mobiles of three countries have two, of
 * which WhatsApp uses either: Brazil with and without the ninth digit, Argentina with and without a 9, and
 * Mexico with and without a 1 before the area code.
 * @param digits with country code
 */
export function knownPhone(digits: string): string | undefined {
  // The library knows only today's numbers. Eight digits beginning with 2 to 5 are a landline.
  const ninth = digits.replace(/^(55\d{2})([6-9]\d{7})$/, '$19$2')
  const phone = real(ninth.replace(/^521(\d{10})$/, '52$1'))
  const withNine = phone?.replace(/^54(\d{10})$/, '549$1')
  return withNine !== phone && withNine !== undefined && isReal(withNine) ? withNine : phone
}

/** The digits of a number that exists, without those of dialling; undefined for any other. */
function real(digits: string): string | undefined {
  const number = parsePhoneNumber(`+${digits}`)
  if (!number?.isValid()) return undefined
  const whole = number.number.slice(1)
  return isStorable(whole) ? whole : undefined
}

/** Not the shorter ones of some islands. */
const isStorable = (digits: string) => /^\d{8,15}$/.test(digits)

const isReal = (digits: string) => real(digits) !== undefined
