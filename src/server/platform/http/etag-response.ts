import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Fast compression, because the content changes several times a second. */
const level = constants.Z_BEST_SPEED

/** An answer whose bytes are built once and shared by all requests, with an ETag. */
export class EtagResponse {
  readonly json: string
  /** Depends only on the bytes, so that it is the same on every instance. */
  readonly etag: string
  #gzipped: Promise<Buffer> | undefined

  constructor(json: string) {
    this.json = json
    // Weak, because compression changes the bytes.
    this.etag = `W/"${hash('sha1', json, 'base64url')}"`
  }

  /** Compressed once, on the first request. */
  gzipped(): Promise<Buffer> {
    return (this.#gzipped ??= promisify(gzip)(this.json, { level }))
  }
}

/** Smaller answers are not worth compressing. */
const gzipFrom = 1024

/** Answers 304 when the client has these bytes, and the bytes otherwise. */
export async function sendEtagResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  tagged: EtagResponse,
): Promise<FastifyReply> {
  void reply.header('etag', tagged.etag)
  if (isKnown(request.headers['if-none-match'], tagged.etag)) return reply.code(304).send()
  void reply.code(200).type('application/json; charset=utf-8')
  if (tagged.json.length < gzipFrom || !takesGzip(request)) return reply.send(tagged.json)
  return reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(await tagged.gzipped())
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding']
  return accepted !== undefined && negotiate(accepted, ['gzip']) === 'gzip'
}

/** Compares weakly, as is allowed for GET. @see RFC 9110 §13.1.2 */
function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  if (asked.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return asked.split(',').some((tag) => opaque(tag) === opaque(etag))
}
