import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError, type ErrorBody } from '#shared/errors.ts'
import { maskPhonesIn } from '#shared/contacts/masked-phone.ts'
import { isDatabaseDown, isUnstorableText } from '#server/platform/database/db.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import type { Log } from '#server/platform/log.ts'

/** The body of an error answer. */
export function errorBodyOf(error: AppError): ErrorBody {
  return { code: error.code, message: error.message, ...(error.fields && { fields: error.fields }) }
}

/** Converts all errors to answers. An unexpected error is logged in full and answered without details. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): void {
  const known = knownError(error)
  if (known) {
    if (known.code === 'request.disk_full')
      log.warn({ err: error, route: request.routeOptions.url }, 'refused: the disk is full')
    if (known.code === 'media.store_away')
      log.warn({ err: error, route: request.routeOptions.url }, 'refused: the bucket is away')
    if (known.retryAfterSeconds) void reply.header('retry-after', String(known.retryAfterSeconds))
    const body = errorBodyOf(known)
    void reply.code(statusOf(error, known)).send(request.who?.hidesPhones ? hidePhones(body) : body)
    return
  }
  log.error(
    { err: error, reference: request.id, method: request.method, route: request.routeOptions.url },
    'request failed',
  )
  void reply.code(500).send({ ...errorBodyOf(new AppError('request.failed')), reference: request.id })
}

/** For people from whom telephone numbers are hidden: a name in the text may be one. */
const hidePhones = ({ message, ...body }: ErrorBody): ErrorBody => ({
  ...body,
  message: maskPhonesIn(message),
  ...(body.fields && {
    fields: Object.fromEntries(Object.entries(body.fields).map(([key, text]) => [key, maskPhonesIn(text)])),
  }),
})

function knownError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An address whose id is none, such as that of a call that does not exist, leads nowhere.
    if (error.validationContext === 'params') return new AppError('request.not_found')
    const fields = Object.fromEntries(
      error.validation.map((issue) => [
        issue.instancePath.split('/').filter(Boolean).join('.') || 'body',
        issue.message ?? '',
      ]),
    )
    // What is wrong with the only field is all that is wrong.
    const [text, ...others] = new Set(Object.values(fields))
    return new AppError('request.invalid', { fields, ...(text && others.length === 0 && { text }) })
  }
  // Nobody types a NUL or an unpaired surrogate.
  if (isUnstorableText(error)) return new AppError('request.invalid')
  // Also without space of its own: browsers send again what was not stored.
  if (isDatabaseDown(error)) return new AppError('request.unavailable', { retryAfterSeconds: 2 })
  if (isDiskFull(error)) return new AppError('request.disk_full')
  if (error instanceof BucketError) return new AppError('media.store_away', { retryAfterSeconds: 10 })
  if (error.statusCode === 413) return new AppError('request.too_large')
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError('request.invalid')
  return undefined
}

/** Refusals of the framework keep their status, such as 415 for an unsupported media type. */
function statusOf(error: FastifyError, known: AppError): number {
  const isFromFramework = !(error instanceof AppError) && known.code === 'request.invalid'
  const status = error.statusCode
  return isFromFramework && status && status >= 400 && status < 500 ? status : known.status
}

/** For answers without hooks, because no route was looked up. */
const bareHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** A malformed URL ('/%zz', an endless parameter) is answered like an unknown page. */
export function answerBadAddress(_error: unknown, _request: unknown, reply: FastifyReply): void {
  reply.raw.writeHead(404, bareHeaders).end(JSON.stringify(errorBodyOf(new AppError('request.not_found'))))
}

/** Answers an unknown expectation ('Expect: 200-ok'), which Node itself would answer without our headers. */
export function answerUnknownExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(errorBodyOf(new AppError('request.invalid')))
  // The unread body would be taken for the next request.
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' }
  response.writeHead(417, headers).end(body)
}

/** Answers malformed or too slow requests, and closes the connection. */
export function answerBadConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify(errorBodyOf(new AppError('request.invalid')))
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroy()
}
