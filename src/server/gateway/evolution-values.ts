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

/** The content inside wrappers, and its key name; the kinds of wrappers are the gateway's. */
const wrappers = new Set([
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'deviceSentMessage',
])
const noise = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'base64',
  'mediaUrl',
  'speechToText',
])
const deepest = 8

/**
 * Unwraps `message` until it holds content itself.
 * @returns the key name ('unknown' when there is none), its value and the message that holds it
 */
export function unwrap(message: unknown): { type: string; value: unknown; holder: Bag } {
  let holder = bag(message)
  for (let depth = 0; depth < deepest; depth++) {
    const wrapper = Object.keys(holder).find(
      (key) => wrappers.has(key) && field(holder[key], 'message') !== undefined,
    )
    if (!wrapper) break
    holder = bag(field(holder[wrapper], 'message'))
  }
  const type = Object.keys(holder).find(
    (key) => !noise.has(key) && holder[key] !== null && holder[key] !== undefined,
  )
  return { type: type ?? 'unknown', value: type ? holder[type] : undefined, holder }
}

/** The code or the name of an error, for logs and decisions. */
export function errorCode(error: unknown): string {
  const code = field(error, 'code') ?? (error instanceof Error ? error.name : undefined)
  return typeof code === 'string' ? code : 'unknown'
}
