import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Fast compression, because the content changes several times a second. */
const level = constants.Z_BEST_SPEED

/** Smaller answers are not worth compressing. */
const gzipFrom = 1024

interface Built {
  etag: string
  /** Absent if it is too small. */
  gzipped?: Buffer
}

/** An answer whose bytes are built once and shared by all requests, with an ETag. */
export class EtagResponse {
  /** UTF-8. Encoding a megabyte of JSON anew for each request costs more than all the rest of an answer. */
  readonly bytes: Buffer
  #built: Promise<Built> | undefined

  constructor(json: string) {
    this.bytes = Buffer.from(json)
  }

  /**
   * Compresses it once, on the first request. The ETag depends only on the bytes, so that it is the same on
   * every instance; of a large answer on the compressed ones, which are far fewer to hash.
   */
  build(): Promise<Built> {
    return (this.#built ??= build(this.bytes))
  }
}

async function build(bytes: Buffer): Promise<Built> {
  // Weak, because compression changes the bytes.
  const tagOf = (hashed: Buffer) => `W/"${hash('sha1', hashed, 'base64url')}"`
  if (bytes.length < gzipFrom) return { etag: tagOf(bytes) }
  const gzipped = await promisify(gzip)(bytes, { level })
  return { etag: tagOf(gzipped), gzipped }
}

/** Answers 304 when the client has these bytes, and the bytes otherwise. */
export async function sendEtagResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  tagged: EtagResponse,
): Promise<FastifyReply> {
  const { etag, gzipped } = await tagged.build()
  void reply.header('etag', etag)
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  void reply.code(200).type('application/json; charset=utf-8')
  if (!gzipped || !takesGzip(request)) return reply.send(tagged.bytes)
  return reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(gzipped)
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
