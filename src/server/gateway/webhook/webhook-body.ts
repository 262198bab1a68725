import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import { createDepthCheck } from '#shared/http/json-depth.ts'
import { readLimited } from '#server/platform/http/bodies/read-limited.ts'

/** The body may contain a whole picture. */
export const bodyLimitBytes = 96 * 1_048_576
/** Of a sender who is proven only by the key in the body. */
const unprovenLimitBytes = 1_048_576

const tooLarge = () => new AppError('request.too_large')

/** The length that a body announces; undefined when it comes in chunks. */
export const announcedBytes = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** @throws AppError 413 for an announced length above the limit, before anything is read */
export function refuseLength(payload: IncomingMessage, isProven: boolean): void {
  if ((announcedBytes(payload) ?? 0) > (isProven ? bodyLimitBytes : unprovenLimitBytes)) throw tooLarge()
}

/** Reads a body of a proven sender as text. @throws AppError 413 above the limit */
export async function readProven(payload: IncomingMessage): Promise<string> {
  refuseLength(payload, true)
  return readLimited(payload, bodyLimitBytes, tooLarge)
}

/** Buffers to use again. A new one for each body would stay in memory until the next full collection. */
const buffers: Buffer[] = []

/**
 * Reads a body of a sender who is not proven yet.
 * @param prove judges the keys that the body names; without its consent nothing is parsed, and the body costs
 *   no more than reading it
 * @throws AppError 413 above the limit, 400 for what nests too deep, as soon as it does, and what `prove`
 *   throws
 */
export async function readUnproven(
  payload: IncomingMessage,
  prove: (keys: string[]) => Promise<void>,
): Promise<string> {
  refuseLength(payload, false)
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(unprovenLimitBytes)
  try {
    const isTooDeep = createDepthCheck()
    let size = 0
    // The stream outlives a refusal, so that it can be answered.
    const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const piece of pieces) {
      if (size + piece.length > unprovenLimitBytes) throw tooLarge()
      size += piece.copy(buffer, size)
      if (isTooDeep(piece)) throw new AppError('request.invalid')
    }
    const body = buffer.subarray(0, size)
    await prove(keysIn(body))
    return body.toString('utf8')
  } finally {
    buffers.push(buffer)
  }
}

const keyName = Buffer.from('"apikey"')
const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])
/** The gateway writes its key last in the envelope. */
const mostKeys = 10
/** Of a key of 500 characters, each escaped. */
const mostKeyBytes = 3000

/**
 * The last texts that stand under the name `apikey` in a JSON text, wherever that is, without parsing it: the
 * key of the envelope is among them.
 */
export function keysIn(json: Buffer): string[] {
  const keys: string[] = []
  let at = json.lastIndexOf(keyName)
  for (let n = 0; n < mostKeys && at >= 0; n++) {
    const key = textAfter(json, at + keyName.length)
    if (key !== undefined) keys.push(key)
    at = at === 0 ? -1 : json.lastIndexOf(keyName, at - 1)
  }
  return keys
}

/** The string that follows a colon. */
function textAfter(json: Buffer, from: number): string | undefined {
  const skipBlanks = (at: number) => {
    while (blanks.has(json[at] ?? 0)) at++
    return at
  }
  const afterName = skipBlanks(from)
  if (json[afterName] !== colon) return undefined
  const start = skipBlanks(afterName + 1)
  if (json[start] !== quote) return undefined
  let end = start + 1
  while (end < json.length && end - start < mostKeyBytes && json[end] !== quote)
    end += json[end] === backslash ? 2 : 1
  try {
    return JSON.parse(json.toString('utf8', start, end + 1)) as string
  } catch {
    return undefined
  }
}
