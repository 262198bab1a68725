import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What changes several times a second is packed quickly rather than small. */
const level = constants.Z_BEST_SPEED

/** An answer whose bytes are made already and shared by all who ask, with the tag by which a caller says that he has them. */
export class EtagResponse {
  readonly json: string
  /** Of the bytes alone, so that every instance says the same. */
  readonly etag: string
  #gzipped: Promise<Buffer> | undefined

  constructor(json: string) {
    this.json = json
    // Weak: what is compressed on the way has other bytes and the same meaning.
    this.etag = `W/"${hash('sha1', json, 'base64url')}"`
  }

  /** Compressed once, by the first who asks. */
  gzipped(): Promise<Buffer> {
    return (this.#gzipped ??= promisify(gzip)(this.json, { level }))
  }
}

/** Less than this is not worth it. */
const gzipFrom = 1024

/** Answers 304 to a caller that has these bytes, and the bytes to everybody else. */
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

/** Tags are compared weakly, as a GET may. @see RFC 9110 §13.1.2 */
function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false
  if (asked.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return asked.split(',').some((tag) => opaque(tag) === opaque(etag))
}
