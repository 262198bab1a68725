import { createHash } from 'node:crypto'

/** The odd JSON of protocol buffers, as 2.3.6 and later spell it. */

export type Json = Record<string, unknown>

export const int64 = (value: number) => ({
  low: value | 0,
  high: Math.floor(value / 2 ** 32),
  unsigned: true,
})

/** The same 32 bytes for the same seed, as an object of indexes. */
export const bytes = (seed: string): Record<string, number> =>
  Object.fromEntries([...createHash('sha256').update(seed).digest()].map((byte, index) => [index, byte]))

export const seconds = (ms: number) => Math.floor(ms / 1000)

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
