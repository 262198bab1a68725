import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerBadConnection } from './http-errors.ts'

/** Milliseconds. */
export interface BodyTimes {
  /** A whole body. */
  wholeMs: number
  /** A file comes as slowly as a line is; so long nothing at all may come of it. */
  stalledMs: number
}

export const usualBodyTimes: BodyTimes = { wholeMs: 120_000, stalledMs: 30_000 }
/** With a file, of the largest size that is taken, at 28 kilobytes a second. */
export const longestRequestMs = 30 * 60_000

/** Whoever sends a body drop by drop holds a connection for so long, and no longer. */
export function limitSlowBodies(app: FastifyInstance, times: BodyTimes): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) limit(request, times)
    done()
  })
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function limit({ raw, routeOptions }: FastifyRequest, { wholeMs, stalledMs }: BodyTimes): void {
  const { socket } = raw
  const hangUp = () =>
    answerBadConnection(Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  let seen = socket.bytesRead
  const checkSpeed = () => {
    if (socket.bytesRead === seen) hangUp()
    seen = socket.bytesRead
  }
  const isFile = (routeOptions.config as { takesFile?: boolean } | undefined)?.takesFile === true
  const timer = isFile ? setInterval(checkSpeed, stalledMs) : setTimeout(hangUp, wholeMs)
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}
