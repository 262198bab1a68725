import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerBadConnection } from '../http-errors.ts'
import { takesFile } from './body-limits.ts'

/** Milliseconds. */
export interface BodyTimes {
  /** The maximum time for a whole body. */
  wholeMs: number
  /** A file may be slow, but no longer than this without any progress. */
  stalledMs: number
}

export const usualBodyTimes: BodyTimes = { wholeMs: 120_000, stalledMs: 30_000 }
/** The time of the largest file at 28 kB/s. */
export const longestRequestMs = 30 * 60_000

/** Limits how long a slow request body keeps its connection. */
export function limitSlowBodies(app: FastifyInstance, times: BodyTimes): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) limit(request, times)
    done()
  })
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const hangUpOn = ({ socket }: IncomingMessage) =>
  answerBadConnection(Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)

/** Limits a body, beside the limits of all, to a time that begins now. */
export function limitBodyTime(raw: IncomingMessage, wholeMs: number): void {
  stopAtEnd(raw, setTimeout(hangUpOn, wholeMs, raw))
}

/** Of a request that was answered before its end, only the connection shows that it is over. */
function stopAtEnd(raw: IncomingMessage, timer: NodeJS.Timeout): void {
  const { socket } = raw
  const stop = () => {
    clearTimeout(timer)
    socket.off('close', stop)
  }
  raw.once('end', stop)
  socket.once('close', stop)
}

function limit(request: FastifyRequest, { wholeMs, stalledMs }: BodyTimes): void {
  const { raw } = request
  if (!takesFile(request)) return limitBodyTime(raw, wholeMs)
  const { socket } = raw
  let seen = socket.bytesRead
  const checkSpeed = () => {
    if (socket.bytesRead === seen) hangUpOn(raw)
    seen = socket.bytesRead
  }
  stopAtEnd(raw, setInterval(checkSpeed, stalledMs))
}
