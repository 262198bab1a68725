import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export type Random = () => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Digits derived from the text alone: the same phone has the same LID after every restart. */
export function digitsFrom(text: string, length: number): string {
  const hash = createHash('sha256').update(text).digest()
  return Array.from({ length }, (_, index) => String((hash[index % hash.length] ?? 0) % 10)).join('')
}

// Ids come from the system's generator, not from the seed, which would repeat them after a restart.
function upperHex(bytes: number) {
  return randomBytes(bytes).toString('hex').toUpperCase()
}

/** As Evolution makes them: 22 characters. */
export function newConsoleMessageId() {
  return `3EB0${upperHex(9)}`
}
/** As an Android phone makes them: 32 characters. */
export function newPhoneMessageId() {
  return `AC${upperHex(15)}`
}
/** As an iPhone makes them: 20 characters. */
export function newOwnerMessageId() {
  return `3A${upperHex(9)}`
}
/** A row id of Evolution's database, a cuid: `c`, the time in eight digits, and sixteen more. */
export function newDbId(atMs: number) {
  const rest = BigInt(`0x${upperHex(16)}`)
    .toString(36)
    .padStart(25, '0')
    .slice(0, 16)
  return `c${atMs.toString(36).padStart(8, '0')}${rest}`
}
export function newToken() {
  return randomUUID().toUpperCase()
}
export function newUuid() {
  return randomUUID()
}
