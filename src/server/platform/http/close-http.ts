import type { FastifyInstance } from 'fastify'

const answersWithinMs = 5000

/**
 * Closes the server after the responses in progress have ended. Idle connections are closed at once: a
 * connection without a request would otherwise delay the shutdown by a minute.
 */
export async function closeHttp(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), answersWithinMs)
  app.server.closeIdleConnections()
  await app.close()
  clearTimeout(cutOff)
}
