import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { sameSecret } from './secrets.ts'

/** What the rooms report of themselves: numbers by name, and reasons not to be given work. */
export interface HealthSources {
  numbers(): Promise<Record<string, { help: string; value: number }>>
  /** Empty when all is well. */
  troubles(): Promise<string[]>
}

const reserveBytes = 200 * 1_048_576

/** /healthz: the process answers. /readyz: it can do its work. /metrics: for Prometheus, on this machine or with the token. */
export function registerHealth(
  app: FastifyInstance,
  { config, database, sources }: { config: Config; database: Database; sources: HealthSources },
): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const troubles = await findTroubles(config, database, sources)
    return reply
      .code(troubles.length === 0 ? 200 : 503)
      .send({ status: troubles.length === 0 ? 'ok' : 'not ready', troubles })
  })

  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isLocal = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
    const isForwarded =
      request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    const isAllowed = config.metricsToken
      ? token !== undefined && sameSecret(token, config.metricsToken)
      : isLocal && !isForwarded
    if (!isAllowed) return reply.callNotFound()
    for (const [name, { help, value }] of Object.entries(await sources.numbers())) {
      const gauge =
        (registry.getSingleMetric(name) as Gauge | undefined) ??
        new Gauge({ name, help, registers: [registry] })
      gauge.set(value)
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

async function findTroubles(config: Config, database: Database, sources: HealthSources): Promise<string[]> {
  try {
    await database.execute(sql`select 1`)
  } catch {
    // Whatever the reason, the answer is the same; the log has it from the one who needed the connection.
    return ['database']
  }
  const disk = await statfs(config.dataDir)
  const troubles = await sources.troubles()
  return disk.bavail * disk.bsize < reserveBytes ? [...troubles, 'disk'] : troubles
}
