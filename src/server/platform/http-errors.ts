import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError, type ErrorBody } from '#shared/errors.ts'
import { isDatabaseDown, isUnstorableText } from './db.ts'
import type { Log } from './log.ts'

/** The wire form of an error. */
export function wire(error: AppError): ErrorBody {
  return { code: error.code, message: error.message, ...(error.fields && { fields: error.fields }) }
}

/** The one place where errors become answers. What nobody foresaw is logged whole and told without detail. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): void {
  const known = knownError(error)
  if (known) {
    if (known.retryAfterSeconds) void reply.header('retry-after', String(known.retryAfterSeconds))
    void reply.code(known.status).send(wire(known))
    return
  }
  log.error(
    { err: error, reference: request.id, method: request.method, route: request.routeOptions.url },
    'request failed',
  )
  void reply.code(500).send({ ...wire(new AppError('request.failed', 500)), reference: request.id })
}

function knownError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = Object.fromEntries(
      error.validation.map((issue) => [
        issue.instancePath.split('/').filter(Boolean).join('.') || 'body',
        issue.message ?? '',
      ]),
    )
    return new AppError('request.invalid', 400, { fields })
  }
  // Nobody types a NUL or half a sign.
  if (isUnstorableText(error)) return new AppError('request.invalid', 400)
  if (isDatabaseDown(error)) return new AppError('request.unavailable', 503, { retryAfterSeconds: 2 })
  if (error.statusCode === 413) return new AppError('request.too_large', 413)
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError('request.invalid', error.statusCode)
  return undefined
}

/** Where no hook runs, because no route was looked for. */
const bareHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** An address that is none ('/%zz', a parameter without end) is a page that we do not have. */
export function answerBadAddress(_error: unknown, _request: unknown, reply: FastifyReply): void {
  reply.raw.writeHead(404, bareHeaders).end(JSON.stringify(wire(new AppError('request.not_found', 404))))
}

/** Who expects of us what we do not know ('Expect: 200-ok'): Node itself would answer it, without our headers. */
export function answerUnknownExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(wire(new AppError('request.invalid', 417)))
  // Its body was not read and would be taken for the next request.
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' }
  response.writeHead(417, headers).end(body)
}

/** What is no HTTP, or comes too slowly, is told so in our words and hung up on. */
export function answerBadConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify(wire(new AppError('request.invalid', status)))
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroy()
}
