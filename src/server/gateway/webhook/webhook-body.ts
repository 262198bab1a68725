import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import { readLimited } from '#server/platform/http/read-limited.ts'

/**
 * Reads a body as text.
 * @throws AppError 413 above the limit, before anything is read where the sender announces it
 */
export async function readBody(payload: IncomingMessage, limitBytes: number): Promise<string> {
  const tooLarge = () => new AppError('request.too_large')
  if (Number(payload.headers['content-length'] ?? 0) > limitBytes) throw tooLarge()
  return readLimited(payload, limitBytes, tooLarge)
}

/** Deeper than any body of the gateway; what is stored is cut at 64 levels. */
const mostLevels = 200

/** Whether JSON nests deeper than `mostLevels`: parsing it would take a multiple of its size in memory. */
export function isTooDeep(json: string): boolean {
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === quote) at = endOfString(json, at)
    else if (sign === openBrace || sign === openBracket) {
      level++
      if (level > mostLevels) return true
    } else if (sign === closeBrace || sign === closeBracket) level--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** The position of the quote that ends the string beginning at `begin`; the end of the text if none does. */
function endOfString(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return json.length
}

/** Bodies whose sender is not proven before they are read. */
export interface UnprovenBodies {
  /** @returns whether one more body of this address may be read now; if so, call `leave` at its end */
  enter(address: string): boolean
  leave(address: string): void
}

const mostAtOnce = 16
const mostOfAddress = 8

/** Limits how many such bodies are in memory, in all and of one address. The gateway repeats refused ones. */
export function createUnprovenBodies(): UnprovenBodies {
  const byAddress = new Map<string, number>()
  let all = 0
  return {
    enter(address) {
      const own = byAddress.get(address) ?? 0
      if (all >= mostAtOnce || own >= mostOfAddress) return false
      all++
      byAddress.set(address, own + 1)
      return true
    },
    leave(address) {
      all--
      const own = (byAddress.get(address) ?? 1) - 1
      if (own > 0) byAddress.set(address, own)
      else byAddress.delete(address)
    },
  }
}
