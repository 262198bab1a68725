import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { createDepthCheck } from '#shared/http/json-depth.ts'

/** Refuses JSON that nests too deep, with 400, before it is parsed. */
export function parseShallowJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (createDepthCheck()(body)) done(new AppError('request.invalid'))
    else void parse(request, body.toString('utf8'), done)
  })
}

/** Refuses what is sent to an address that we do not have, before it is read. */
export function refuseUnknownEarly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw new AppError('request.not_found')
  })
}

/** A browser that has sent so much of a refused body still reads its answer: the rest is read and dropped. */
const droppedBytes = 1_048_576

/** Closes the connection after an answer to a large body that was not read. */
export function closeUnread(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete && isLarge(request)) void reply.header('connection', 'close')
  })
}

/** Whether the call takes a file, which is large by nature, and whose sender waits for an answer. */
export const takesFile = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  (config as { takesFile?: boolean } | undefined)?.takesFile === true

function isLarge(request: FastifyRequest): boolean {
  const { headers } = request.raw
  if (takesFile(request)) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > droppedBytes
}
