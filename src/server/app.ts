import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { contactRoutes } from './contacts/routes.ts'
import { ensureKnownCategories } from './contacts/contacts.ts'
import {
  eventHandlers,
  outboxHealth,
  renderEvents,
  startOutboxWorker,
  statsFor,
} from './conversations/conversations.ts'
import { conversationRoutes } from './conversations/routes.ts'
import {
  createGateway,
  createInboxWriter,
  type Gateway,
  inboxHealth,
  isAnyOpen,
  startGatewayWatch,
  startInboxWorker,
} from './gateway/gateway.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { openInstallation, StartRefused } from './installation.ts'
import type { Config } from './platform/config.ts'
import { type Database, migrateDatabase } from './platform/db.ts'
import { trimEvents } from './platform/events.ts'
import { registerHealth } from './platform/health.ts'
import { createHttp } from './platform/http.ts'
import { startLive } from './platform/live.ts'
import type { Log } from './platform/log.ts'
import { createOutgoingHttp } from './platform/outgoing-http.ts'
import { openSecrets, type Secrets } from './platform/secrets.ts'
import { registerWebPages } from './platform/web-pages.ts'
import { settingsRoutes } from './settings/routes.ts'
import { userRoutes } from './users/routes.ts'
import { cookieName, identify, preparePasswords, refreshSessions } from './users/users.ts'

/** The whole product on a database that somebody opened: what main starts, and what tests speak HTTP to. */
export interface App {
  /** `http://127.0.0.1:3000` */
  url: string
  port: number
  gateway: Gateway
  secrets: Secrets
  /** Takes no new work, lets what is under way end, closes sockets with 1012. */
  stop(): Promise<void>
}

export interface AppOptions {
  config: Config
  database: Database
  log: Log
  /** The built web; absent: the calls alone. */
  webDir?: string
  /** What must be there before the first request: the first administrator, or a demonstration's people. */
  prepare?: (parts: { gateway: Gateway; secrets: Secrets }) => Promise<void>
  /** More routes of whoever starts the app: the simulator's, in a demonstration. */
  extend?: (app: FastifyInstance) => Promise<void>
  /** How long the gateway may take to answer a send; a minute when absent. */
  sendTimeoutMs?: number
}

const hour = 60 * 60 * 1000

export async function startApp(options: AppOptions): Promise<App> {
  const { config, database, log } = options
  await migrateDatabase(database)
  const { epoch } = await openInstallation(database, config.isDemo)
  await ensureKnownCategories(database)
  const secrets = openSecrets(config.secretKey, config.dataDir)
  const outgoing = createOutgoingHttp(config.gatewayAllowedHosts)
  const gateway = createGateway(outgoing, secrets, options.sendTimeoutMs)
  await preparePasswords()
  await options.prepare?.({ gateway, secrets })

  const cookie = cookieName(config.publicUrl)
  const http = await createHttp({
    config,
    log,
    authenticate: (request) => identify(database, request.headers, request.cookies[cookie]),
  })
  const { app } = http
  const context = { database, config, secrets, log }
  userRoutes(http, context)
  settingsRoutes(http, context)
  contactRoutes(http, context)
  gatewayRoutes(http, { ...context, client: gateway.client, inbox: createInboxWriter(database) })
  conversationRoutes(http, context)
  http.serves(
    'WS /ws upgrade',
    'WS recv conversation and message events',
    'WS recv queue*/view_tracking rows',
  )
  http.serves('WS recv stats_update', 'WS recv gatewayConnected boolean')
  http.checkLaw()

  const inbox = startInboxWorker(database, log, eventHandlers)
  const outbox = startOutboxWorker(database, gateway, log)
  const watch = startGatewayWatch(database, gateway, secrets, log)
  const live = await startLive({
    server: app.server,
    database,
    config,
    log,
    epoch,
    sources: {
      identify: (request) => identify(database, request.headers, cookieOf(request.headers.cookie, cookie)),
      refresh: (sessionIds) => refreshSessions(database, sessionIds),
      render: (rows) => renderEvents(database, rows),
      gatewayConnected: () => isAnyOpen(database),
      stats: async (who) => ({ type: 'stats_update', data: { stats: await statsFor(database, who) } }),
    },
  })
  registerHealth(app, {
    config,
    database,
    sources: {
      numbers: async () => {
        const [incoming, outgoingNumbers] = await Promise.all([inboxHealth(database), outboxHealth(database)])
        return {
          balcao_inbox_oldest_seconds: {
            help: 'Age of the oldest unprocessed webhook',
            value: incoming.oldestSeconds,
          },
          balcao_inbox_dead: { help: 'Webhooks put aside after five failures', value: incoming.dead },
          balcao_inbox_quarantined: { help: 'Webhooks of an unknown instance', value: incoming.quarantined },
          balcao_outbox_pending: { help: 'Messages waiting to be sent', value: outgoingNumbers.pending },
          balcao_outbox_unknown: {
            help: 'Messages nobody can say were sent',
            value: outgoingNumbers.unknown,
          },
          balcao_outbox_failed: { help: 'Messages that failed visibly', value: outgoingNumbers.failed },
          balcao_sockets: { help: 'Open sockets of this process', value: live.socketCount() },
          balcao_event_lag_seconds: { help: 'Since the event log was last read', value: live.lagMs() / 1000 },
        }
      },
      troubles: async () => {
        const troubles: string[] = []
        if ((await inboxHealth(database)).oldestSeconds > 120) troubles.push('inbox')
        if (live.lagMs() > 30_000) troubles.push('events')
        return troubles
      },
    },
  })
  await options.extend?.(app)
  if (options.webDir)
    await registerWebPages(app, {
      webDir: options.webDir,
      isDemo: config.isDemo,
      isHttps: config.publicUrl?.startsWith('https:') ?? false,
      hasSimulator: config.simulator,
    })
  const trim = setInterval(
    () => void trimEvents(database).catch((error: unknown) => log.warn({ err: error }, 'events not trimmed')),
    hour,
  )
  let stopping: Promise<void> | undefined
  const stop = async () => {
    clearInterval(trim)
    await live.stop()
    app.server.closeIdleConnections()
    await app.close()
    await Promise.all([inbox.stop(), outbox.stop(), watch.stop()])
    await outgoing.close()
  }
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await stop()
    throw refusedAddress(error, config)
  }
  void watch.look()
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, gateway, secrets, stop: () => (stopping ??= stop()) }
}

/** What whoever starts it can mend is one clear line. */
function refusedAddress(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new StartRefused(`A porta ${port} já está em uso: encerre o outro programa ou escolha outra PORT.`)
  if (code === 'EACCES')
    return new StartRefused(`Sem permissão para a porta ${port}: escolha em PORT uma a partir de 1024.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartRefused(`Esta máquina não tem o endereço ${host}: confira HOST.`)
  return error
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  return header
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1]
}
