import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/platform/config.ts'

/** The headers that every answer has unless it sets them itself. */
export async function registerHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  await app.register(helmet, {
    contentSecurityPolicy: false,
    hsts: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // Over plain HTTP these only produce warnings in the browser's console.
    crossOriginOpenerPolicy: isHttps ? { policy: 'same-origin' } : false,
    originAgentCluster: isHttps,
    frameguard: { action: 'deny' },
  })
  app.addHook('onSend', async (request, reply) => {
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    // Errors are not cached either.
    const isPassing = request.routeOptions.url?.startsWith('/api/') || reply.statusCode >= 400
    if (isPassing && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
