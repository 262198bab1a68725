import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import { readLimited } from '#server/platform/http/read-limited.ts'

/** The body may contain a whole picture. */
export const bodyLimitBytes = 96 * 1_048_576
/** Of a sender who is proven only by the key in the body. */
const unprovenLimitBytes = 1_048_576

const tooLarge = () => new AppError('request.too_large')

/**
 * Reads a body as text.
 * @throws AppError 413 above the limit, before anything is read where the sender announces it; 400 for what
 *   nests too deep and is not proven, as soon as it does
 */
export async function readBody(payload: IncomingMessage, isProven: boolean): Promise<string> {
  const limit = isProven ? bodyLimitBytes : unprovenLimitBytes
  if (Number(payload.headers['content-length'] ?? 0) > limit) throw tooLarge()
  return readLimited(isProven ? payload : shallow(payload), limit, tooLarge)
}

async function* shallow(payload: IncomingMessage): AsyncGenerator<Buffer> {
  const isTooDeep = createDepthCheck()
  // The stream outlives a refusal, so that it can be answered.
  for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (isTooDeep(piece)) throw new AppError('request.invalid')
    yield piece
  }
}

/** Deeper than any body of the gateway; what is stored is cut at 64 levels. */
const mostLevels = 200

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/**
 * Tells of each further piece of JSON whether it has nested deeper than `mostLevels` by its end. Parsing such
 * a text would take a multiple of its size in memory.
 */
export function createDepthCheck(): (piece: Uint8Array) => boolean {
  let level = 0
  let isString = false
  let isEscaped = false
  return (piece) => {
    for (const sign of piece) {
      if (isEscaped) isEscaped = false
      else if (isString) {
        if (sign === backslash) isEscaped = true
        else if (sign === quote) isString = false
      } else if (sign === quote) isString = true
      else if (sign === openBrace || sign === openBracket) {
        level++
        if (level > mostLevels) return true
      } else if (sign === closeBrace || sign === closeBracket) level--
    }
    return false
  }
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
