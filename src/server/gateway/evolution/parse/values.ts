/** Reads values out of bodies that nobody promised anything about. Nothing here throws or trusts a prototype. */

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

/** At most so long, and never with half a character at its end, which no jsonb takes. */
export function cut(value: string, length: number): string {
  return value.slice(0, length).toWellFormed()
}

/**
 * int64 comes as a number, a string, or `{low, high, unsigned}`, by the gateway's version.
 * @returns undefined for what is no number, or larger than one that is exact
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

/** The last moment that everybody writes with four digits: whoever says a later one says nothing. */
const latestMs = Date.UTC(9999, 0)

/** Milliseconds since 1970, or 0 when they are no time. */
export function timeMs(value: unknown, unitMs = 1): number {
  const ms = (integer(value) ?? 0) * unitMs
  return ms > 0 && ms < latestMs ? ms : 0
}

/** A natural number: a size, a length, a count. */
export function natural(value: unknown): number | undefined {
  const number = integer(value)
  // `+ 0`: JSON knows no negative zero.
  return number !== undefined && number >= 0 ? number + 0 : undefined
}

/** A finite number, also one that was written down. */
export function decimal(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}(\.\d{1,20})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined
}

/** A value of a protocol's enumeration: by its name, or by its number as the place in `names`. */
export function enumerated(value: unknown, names: readonly string[]): string | undefined {
  const word = text(value)
  if (word !== undefined && names.includes(word)) return word
  const number = natural(value)
  return number === undefined ? undefined : names[number]
}

/** The items of a list; a single value is a list of one. */
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The items of what must be a list, at most so many. */
export function items(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

/** A message's id as WhatsApp gives it. */
export function idOf(value: unknown): string | undefined {
  const id = text(value)
  return id && id.length <= 128 ? id : undefined
}

/** The code or the name of an error, for logs and decisions. */
export function errorCode(error: unknown): string {
  const code = field(error, 'code') ?? (error instanceof Error ? error.name : undefined)
  return typeof code === 'string' ? code : 'unknown'
}
