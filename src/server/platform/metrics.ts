import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/platform/database/db.ts'
import { version } from '#shared/version.ts'
import type { WorkerHealth } from './work/worker.ts'

/** A figure that is read on request: one value, or one per combination of labels. */
export interface Figure {
  help: string
  value: number | { labels: Record<string, string>; value: number }[]
}

/** By name; a name ends in the unit, or in `_total` for what only grows until the process ends. */
export type Figures = Record<`balcao_${string}`, Figure>

/** The metrics for Prometheus: counters and histograms, and figures that are read on request. */
export interface Metrics {
  readonly contentType: string
  /** Measures one call of the gateway; the kind of its answer is the label. */
  gatewayAnswered(kind: string, seconds: number): void
  /** All metrics as text. Figures from the database are read at most once a second. */
  text(): Promise<string>
}

const readEveryMs = 1000

/**
 * Call before routes are registered, so that all of them are measured.
 * @param read the figures of this process, always available, and those from the database
 */
export function createMetrics(
  app: FastifyInstance,
  database: Database,
  read: { here: () => Promise<Figures>; stored: () => Promise<Figures> },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  const answers = new Histogram({
    name: 'balcao_gateway_answer_seconds',
    help: 'How long the gateway took to answer a send, by what it answered',
    labelNames: ['kind'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  new Gauge({
    name: 'balcao_build_info',
    help: 'Always 1; the version that runs is the label',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const shown = new Map<string, Gauge | Counter>()
  const show = (figures: Figures) => {
    for (const [name, { help, value }] of Object.entries(figures)) {
      const samples = typeof value === 'number' ? [{ labels: {}, value }] : value
      const labelNames = Object.keys(samples[0]?.labels ?? {})
      if (labelNames.length === 0 && samples.length === 0 && !shown.has(name)) continue
      const given = { name, help, labelNames, registers: [registry] }
      const metric = shown.get(name) ?? (name.endsWith('_total') ? new Counter(given) : new Gauge(given))
      shown.set(name, metric)
      // Removes label values that no longer exist, such as those of a deleted number.
      metric.reset()
      for (const sample of samples) metric.inc(sample.labels, sample.value)
    }
  }

  let readAtMs = -readEveryMs
  let reading: Promise<void> | undefined
  const readStored = async () => {
    try {
      show(await read.stored())
      show({ balcao_database_up: { help: databaseUp, value: 1 } })
    } catch {
      // The caller that needed the database has logged the error; the other figures are still shown.
      show({ balcao_database_up: { help: databaseUp, value: 0 } })
    }
  }
  return {
    contentType: registry.contentType,
    gatewayAnswered: (kind, seconds) => answers.observe({ kind }, seconds),
    async text() {
      if (performance.now() - readAtMs >= readEveryMs)
        reading ??= readStored().finally(() => {
          readAtMs = performance.now()
          reading = undefined
        })
      await reading
      show({ ...poolFigures(database), ...(await read.here()) })
      return registry.metrics()
    },
  }
}

const databaseUp = '1 when the figures that come from the database could be read, else those are old'

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Histogram({
    name: 'balcao_http_request_seconds',
    help: 'How long calls took, by route and class of status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'balcao_webhook_refused_total',
    help: 'Webhooks answered 401: wrong or missing secret',
    registers: [registry],
  })
  const failures = new Counter({
    name: 'balcao_login_failures_total',
    help: 'Sign-ins that were refused: a wrong password or code, a locked account, or too many tries',
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // The route and not the URL: arbitrary paths must not create series.
    const route = request.routeOptions.url ?? 'none'
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    if (reply.statusCode === 401 && route.startsWith('/api/webhook/')) refused.inc()
    if (route.startsWith('/api/auth/login') && [401, 403, 423, 429].includes(reply.statusCode)) failures.inc()
  })
}

/** The state of the workers of this process. */
export function workerFigures(workers: readonly WorkerHealth[]): Figures {
  const figure = (help: string, valueOf: (health: WorkerHealth) => number): Figure => ({
    help,
    value: workers.map((health) => ({ labels: { worker: health.name }, value: valueOf(health) })),
  })
  return {
    balcao_worker_since_pass_seconds: figure(
      'Since a pass of the worker last ended well',
      ({ sincePassMs }) => sincePassMs / 1000,
    ),
    balcao_worker_running: figure('Passes of the worker that are under way', ({ running }) => running),
    balcao_worker_failures: figure(
      'Passes of the worker that failed since one ended well',
      ({ failures }) => failures,
    ),
  }
}

function poolFigures({ pool }: Database): Figures {
  return {
    balcao_database_connections: {
      help: 'Connections of the pool of this process',
      value: [
        { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
      ],
    },
    balcao_database_waiting: { help: 'Who waits for a connection of the pool', value: pool.waitingCount },
  }
}
