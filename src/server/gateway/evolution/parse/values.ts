import { showsNothing } from '#shared/text/shows-nothing.ts'
import { gatewayTexts } from '#shared/text/text.ts'

/** Reads values from bodies of unknown shape. Nothing here throws or reads from a prototype. */

export type Bag = Record<string, unknown>

export function bag(value: unknown): Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {}
}

export function field(value: unknown, key: string): unknown {
  const from = bag(value)
  return Object.hasOwn(from, key) ? from[key] : undefined
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The name that a person has given themselves; undefined where it shows nothing, as one of U+3164 does. */
export function personName(value: unknown): string | undefined {
  const name = text(value)?.trim()
  return name === undefined || showsNothing(name) ? undefined : cut(name, 200)
}

/** Cuts to a length without leaving half of a surrogate pair, which jsonb rejects. */
export function cut(value: string, length: number): string {
  return value.slice(0, length).toWellFormed()
}

/**
 * Reads an int64, which arrives as a number, a string or `{low, high, unsigned}`, depending on the gateway's
 * version.
 * @returns undefined for anything else, and for numbers that are too large to be exact
 */
export function integer(value: unknown): number | undefined {
  const number = numberIn(value)
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'string') return /^-?\d{1,16}$/.test(value) ? Number(value) : undefined
  const low = field(value, 'low')
  const high = field(value, 'high')
  if (typeof low !== 'number' || typeof high !== 'number') return undefined
  return high * 4_294_967_296 + (low >>> 0)
}

/** From here on years have five digits: a later time is treated as missing. */
const latestMs = Date.UTC(9999, 0)

/** Milliseconds since 1970; 0 when the value is not a valid time. */
export function timeMs(value: unknown, unitMs = 1): number {
  const ms = (integer(value) ?? 0) * unitMs
  return ms > 0 && ms < latestMs ? ms : 0
}

/** A natural number, such as a size, a length or a count. */
export function natural(value: unknown): number | undefined {
  const number = integer(value)
  // `+ 0` turns -0 into 0: JSON has no negative zero.
  return number !== undefined && number >= 0 ? number + 0 : undefined
}

/** A finite number, possibly as text. */
export function decimal(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}(\.\d{1,20})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined
}

/** A value of a protocol's enumeration, given by its name or by its index in `names`. */
export function enumerated(value: unknown, names: readonly string[]): string | undefined {
  const word = text(value)
  if (word !== undefined && names.includes(word)) return word
  const number = natural(value)
  return number === undefined ? undefined : names[number]
}

/** The items of a list; a single value counts as a list of one. */
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The first `most` items of a value that must be a list. */
export function items(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

/** A message's id as assigned by WhatsApp. */
export function idOf(value: unknown): string | undefined {
  const id = text(value)
  return id && id.length <= 128 ? id : undefined
}

/** The code or the name of an error, for logs and decisions. */
export function errorCode(error: unknown): string {
  const code = field(error, 'code') ?? (error instanceof Error ? error.name : undefined)
  return typeof code === 'string' ? code : 'unknown'
}

/** Codes and names of an error that only say that nothing came in time. */
const tooLate = /^(TimeoutError|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/
/** Names of an error that say nothing to a person. */
const saysNothing = /^(unknown|Error|TypeError|SyntaxError|DOMException|AbortError)$/

/** The same as a person reads it: a code such as 'ECONNREFUSED' is as it is, since it can be looked up. */
export function errorWords(error: unknown): string {
  const code = errorCode(error)
  if (tooLate.test(code)) return gatewayTexts.tooLate
  return saysNothing.test(code) ? gatewayTexts.noReason : code
}
