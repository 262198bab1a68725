import { createHash } from 'node:crypto'

/** The JSON form of protocol buffers in 2.3.6 and later. */

export type Json = Record<string, unknown>

export function int64(value: number) {
  return {
    low: value | 0,
    high: Math.floor(value / 2 ** 32),
    unsigned: true,
  }
}

/** The same 32 bytes for the same seed, as an object with index keys. */
export function bytes(seed: string): Record<string, number> {
  return Object.fromEntries(
    [...createHash('sha256').update(seed).digest()].map((byte, index) => [index, byte]),
  )
}

export function seconds(ms: number) {
  return Math.floor(ms / 1000)
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
