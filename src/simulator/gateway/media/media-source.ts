import { refuse } from '#simulator/gateway/gateway-errors.ts'
import { isBase64, isUrl } from './media-facts.ts'
import type { World } from '#simulator/world/world.ts'

/** The bytes of media to send: raw base64, or a URL that is fetched. */

const megabyte = 1024 * 1024
const maxBytes = 100 * megabyte

/** `connect ECONNREFUSED 127.0.0.1:9`, as axios words it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'timeout exceeded'
  const { cause } = error
  if (cause instanceof AggregateError) return wordsOf(cause.errors[0])
  return cause instanceof Error ? cause.message : error.message
}

async function readBounded(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`maxContentLength size of ${maxBytes} exceeded`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function fetchBase64(world: World, url: string): Promise<string> {
  const signal = AbortSignal.timeout(world.pace.mediaTimeoutMs)
  try {
    const answer = await fetch(url, { signal })
    if (!answer.ok) throw new Error(`Request failed with status code ${answer.status}`)
    return (await readBounded(answer)).toString('base64')
  } catch (error) {
    throw refuse(500, `Error: ${wordsOf(error)}`)
  }
}

/**
 * Raw base64 of the given media.
 * @param refusal message for what is neither a URL with a dot in its host nor base64
 * @throws GatewayError 400 with the refusal, 500 when the URL cannot be fetched
 */
export function mediaBytes(world: World, media: string, refusal: string): Promise<string> {
  if (isUrl(media)) return fetchBase64(world, media)
  if (!isBase64(media)) throw refuse(400, refusal)
  return Promise.resolve(media)
}
