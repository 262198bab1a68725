import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { hasRoom } from '#server/platform/file-store/disk-room.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { sameSecret } from '#server/platform/secrets.ts'
import { isFromThisMachine } from '#shared/http/local-name.ts'
import { version } from '#shared/version.ts'

/**
 * /healthz: the process answers, with its version. /readyz: it can do its work. /metrics: for Prometheus, on
 * this machine or with the token.
 * @param isStopping once true, the instance is not ready
 * @param troubles reasons of the rooms not to be ready; empty when all is well
 */
export function registerHealth(
  app: FastifyInstance,
  options: {
    config: Config
    database: Database
    metrics: Metrics
    isStopping: () => boolean
    troubles: () => Promise<string[]>
  },
): void {
  const { config, metrics, isStopping } = options
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok', version }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    // Check this before the database, so that a load balancer moves on at once.
    const troubles = isStopping() ? ['stopping'] : await findTroubles(options)
    return reply
      .code(troubles.length === 0 ? 200 : 503)
      .send({ status: troubles.length === 0 ? 'ok' : 'not ready', troubles })
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isAllowed = config.metricsToken
      ? token !== undefined && sameSecret(token, config.metricsToken)
      : isFromHere(request, config)
    if (!isAllowed) return reply.callNotFound()
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/**
 * Whether a request was made on this machine. Some proxies add no header, so their configuration counts as
 * well.
 */
function isFromHere({ headers, socket: { remoteAddress } }: FastifyRequest, config: Config): boolean {
  if (config.publicUrl !== undefined || config.trustProxy !== undefined) return false
  return isFromThisMachine({ headers, remoteAddress })
}

async function findTroubles(options: {
  config: Config
  database: Database
  troubles: () => Promise<string[]>
}): Promise<string[]> {
  try {
    await options.database.execute(sql`select 1`)
  } catch {
    // The caller that needed the connection has logged it. A database without space is away because of that.
    return (await hasRoom(options.config.dataDir)) ? ['database'] : ['disk', 'database']
  }
  const troubles = await options.troubles()
  return (await hasRoom(options.config.dataDir)) ? troubles : [...troubles, 'disk']
}
