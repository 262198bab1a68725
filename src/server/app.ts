import { liveRows } from '#shared/live-rows.ts'
import type { AddressInfo } from 'node:net'
import type { AppOptions } from './app-options.ts'
import { openParts } from './app-parts.ts'
import { registerRoutes } from './app-routes.ts'
import { startWork } from './app-work.ts'
import { auditFigures, recordOtherUser, recordRefusal } from './audit/audit.ts'
import {
  createTyping,
  deliveryFigures,
  mayView,
  findReachFacts,
  statsFor,
} from './conversations/conversations.ts'
import { type Gateway, inboxHealth, readNewsOf } from './gateway/gateway.ts'
import { answerAsRunningServer, backupFigures } from './maintenance/maintenance.ts'
import { appNow } from './platform/clock.ts'
import type { FileStore } from './platform/file-store.ts'
import { bucketFigures } from './platform/file-store/bucket-client.ts'
import { diskFigures } from './platform/file-store/disk-room.ts'
import { isPermitted } from '#server/platform/http/access.ts'
import { closeHttp } from '#server/platform/http/close-http.ts'
import { registerHealth } from '#server/platform/http/health.ts'
import { createHttp } from '#server/platform/http/http.ts'
import { createUpgradeSource, sourceOf } from '#server/platform/http/source/request-source.ts'
import { registerWebPages } from '#server/platform/http/web-pages.ts'
import { startLive } from '#server/platform/live/live.ts'
import { createRenderEvents } from '#server/platform/live/live-render.ts'
import { findOwnIn } from '#server/platform/phones/hide-answer.ts'
import { createMetrics, type Metrics, workerFigures } from './platform/metrics.ts'
import type { Secrets } from './platform/secrets.ts'
import { refusedAddress } from './platform/start-refused.ts'
import { renderers } from './rooms/live.ts'
import { identify, preparePasswords, refreshSessions, sessionCookie } from './users/users.ts'

export type { AppOptions } from './app-options.ts'

/** The whole product on an open database. main starts it, and tests send it HTTP requests. */
export interface App {
  /** `http://127.0.0.1:3000` */
  url: string
  port: number
  gateway: Gateway
  secrets: Secrets
  files: FileStore
  /** Accepts no new work, finishes the work in progress, closes sockets with 1012. */
  stop(): Promise<void>
}

export async function startApp(options: AppOptions): Promise<App> {
  const { config, database, log } = options
  const parts = await openParts(options)
  const { gateway, secrets, files } = parts
  const endAnswers = answerAsRunningServer(database, config)
  await preparePasswords()
  await options.prepare?.({ gateway, secrets })

  const cookie = sessionCookie(config.publicUrl).name
  const upgradeSource = createUpgradeSource(config.trustProxy)
  const http = await createHttp({
    config,
    log,
    authenticate: (request) =>
      identify(database, {
        headers: request.headers,
        cookie: request.cookies[cookie],
        source: sourceOf(request),
      }),
    onRefused: (refusal) => recordRefusal(database, refusal),
    findOwn: findOwnIn(database),
    async refresh({ sessionId, source }, db = database) {
      const person = (await refreshSessions(db, [sessionId])).get(sessionId)
      return person && { ...person, source }
    },
  })
  const { app } = http
  const metrics: Metrics = createMetrics(app, database, {
    here: async () => ({
      ...bucketFigures(),
      ...(await diskFigures(config.dataDir)),
      balcao_sockets: { help: 'Open sockets of this process', value: live.socketCount() },
      balcao_socket_frames_refused_total: {
        help: 'Frames that no browser of ours sends, since the start',
        value: live.refusedFrames(),
      },
      balcao_sweep_found_total: {
        help: 'Messages, ticks and changes that only the gateway record brought, since the start',
        value: work.recovered(),
      },
      ...workerFigures(work.health()),
      balcao_event_lag_seconds: { help: 'Since the event log was last read', value: live.lagMs() / 1000 },
    }),
    stored: async () => ({
      ...(await deliveryFigures(database)),
      ...(await auditFigures(database)),
      ...(await backupFigures(database)),
    }),
  })
  const typing = createTyping({
    database,
    gateway,
    log,
    emitTyping: (conversationId, activity) => live.setClientTyping(conversationId, activity),
  })
  registerRoutes(http, options, parts, {
    typing,
    queue: () => work.queue,
    livePosition: () => live.position(),
  })

  const work = await startWork(options, parts, metrics)
  const renderEvents = createRenderEvents(renderers)
  const live = await startLive({
    server: app.server,
    database,
    config,
    log,
    epoch: parts.epoch,
    ...(options.viewingTimes && { viewingTimes: options.viewingTimes }),
    sources: {
      async identify(request) {
        const who = await identify(database, {
          headers: request.headers,
          cookie: app.parseCookie(request.headers.cookie ?? '')[cookie],
          source: upgradeSource(request),
        })
        return who?.pending ? undefined : who
      },
      refresh: (sessionIds) => refreshSessions(database, sessionIds),
      render: (rows) => renderEvents(database, rows),
      greeting: async (people) => {
        const given = people.map(({ numberIds }) => numberIds)
        const [newsOf, now] = await Promise.all([readNewsOf(database, given), appNow(database)])
        return ({ numberIds }) => ({ ...newsOf(numberIds), serverTime: now.toISOString() })
      },
      async stats(who) {
        if (!isPermitted(who, liveRows.stats)) return undefined
        const stats = await statsFor(database, who)
        return Object.keys(stats).length > 0 ? { type: 'stats_update', data: { stats } } : undefined
      },
      mayView: (who, conversationId) => mayView(database, who, conversationId),
      findFacts: (conversationIds) => findReachFacts(database, conversationIds),
      onTyping: typing.send,
      noteOtherUser: (who, claimed) => recordOtherUser(database, who, claimed),
    },
  })
  let stopping: Promise<void> | undefined
  registerHealth(app, {
    config,
    database,
    metrics,
    isStopping: () => stopping !== undefined,
    troubles: async () => [
      ...((await inboxHealth(database)).oldestSeconds > 120 ? ['inbox'] : []),
      ...(live.lagMs() > 30_000 ? ['events'] : []),
    ],
  })
  await options.extend?.(app)
  if (options.webDir)
    await registerWebPages(app, {
      webDir: options.webDir,
      isDemo: config.isDemo,
      publicUrl: config.publicUrl,
      hasSimulator: config.simulator,
      demoSignIn: options.demoSignIn,
    })
  const stop = async () => {
    // Claim no more work: what is waiting is left to the other instances.
    const working = work.stop()
    const fetched = work.stopFetching()
    endAnswers()
    await live.stop()
    await closeHttp(app)
    await working
    // Wake the other instances for what was waiting behind the last work of this one.
    for (const channel of ['inbox', 'outbox'] as const) database.signals.send(channel)
    // A running file download is abandoned and repeated by another instance; a send is waited for.
    await parts.outgoing.close()
    await fetched
  }
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await stop()
    throw refusedAddress(error, config)
  }
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, gateway, secrets, files, stop: () => (stopping ??= stop()) }
}
