import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#server/platform/log.ts'
import { sourceOf } from './source/request-source.ts'

const isId = /^[\w.:-]{1,64}$/

/**
 * The id of a request: that of the proxy or of whoever calls, so that one id leads through all logs, or a new
 * one. What is no id is not taken, since it goes into the log.
 */
export function requestIdOf({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && isId.test(given) ? given : randomUUID()
}

/**
 * Names each answer by the id of its request, and writes a line for each if that is wished. The line has the
 * route and not the address, whose end may be a text that somebody looks for.
 */
export function logRequests(app: FastifyInstance, log: Log, isAccessLogged: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  if (!isAccessLogged) return
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        userId: request.who?.id ?? null,
        address: sourceOf(request).address,
      },
      'request',
    )
  })
}
