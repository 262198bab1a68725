import type { AddressInfo } from 'node:net'
import type { AppOptions } from './app-options.ts'
import {
  auditFigures,
  checkAuditJob,
  recordOtherUser,
  recordRefusal,
  startAuditSealer,
} from './audit/audit.ts'
import { auditRoutes } from './audit/routes.ts'
import { createAssistantServers } from './assistant/assistant.ts'
import { assistantRoutes } from './assistant/routes.ts'
import { companyRoutes } from './companies/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { contactJobs, ensureKnownCategories, trimMergesJob } from './contacts/contacts.ts'
import {
  freeConversations,
  automationJobs,
  conversationEvents,
  liveRows,
  conversationJobs,
  createMessageFiles,
  createSendReceipt,
  createTyping,
  deliveryFigures,
  endLeases,
  eventHandlers,
  mayView,
  notifyContactsChanged,
  ownNamedFiles,
  startAssistantWorker,
  startAvatarWorker,
  startFetchWorker,
  startSearchIndex,
  startOutboxWorker,
  startReceiptWorker,
  statsFor,
} from './conversations/conversations.ts'
import { conversationsRoutes } from './conversations/routes.ts'
import {
  createGateway,
  createInboxWriter,
  gatewayEvents,
  type Gateway,
  inboxHealth,
  readGatewayNews,
  startGatewayNews,
  startGatewayWatch,
  startInboxWorker,
  startSilenceWatch,
  startSweep,
  trimInboxJob,
} from './gateway/gateway.ts'
import { measureSends } from './gateway/measure-sends.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { openInstallation } from './installation.ts'
import {
  answerStations,
  cipherOf,
  copyBeforeUpgrade,
  createBackupStore,
  failStale,
  forgetErased,
  maintenanceJob,
  maintenanceTask,
  trimBackupsJob,
  trimUpgradeCopiesJob,
} from './maintenance/maintenance.ts'
import { maintenanceRoutes } from './maintenance/maintenance-routes.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { privacyRoutes } from './maintenance/routes.ts'
import { profilePictureRoutes, restartFetches, sweepFilesJob } from './media/media.ts'
import { appNow } from './platform/clock.ts'
import { migrateDatabase } from '#server/platform/database/db.ts'
import { trimEventsJob } from '#server/platform/database/events.ts'
import { createFileStore, type FileStore } from './platform/file-store.ts'
import { databaseDiskOf } from './platform/file-store/disk-room.ts'
import { isPermitted } from '#server/platform/http/access.ts'
import { registerHealth } from '#server/platform/http/health.ts'
import { closeHttp } from '#server/platform/http/close-http.ts'
import { createHttp } from '#server/platform/http/http.ts'
import { createUpgradeSource, sourceOf } from '#server/platform/http/request-source.ts'
import { startLive } from '#server/platform/live/live.ts'
import { createRenderEvents } from '#server/platform/live/live-render.ts'
import { noticeEvents, startNoticeWatch, trimNoticesJob } from './notices/notices.ts'
import { noticeRoutes } from './notices/routes.ts'
import { startFacts } from './reports/reports.ts'
import { reportRoutes } from './reports/routes.ts'
import { createMetrics, type Metrics, workerFigures } from './platform/metrics.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { openSecrets, type Secrets } from './platform/secrets.ts'
import { refusedAddress } from './platform/start-refused.ts'
import { registerWebPages } from '#server/platform/http/web-pages.ts'
import { startJobQueue } from './platform/jobs/job-queue.ts'
import { startPeriodicTasks } from './platform/work/periodic.ts'
import { combineWorkers } from './platform/work/worker.ts'
import { changeSettingsIn } from './settings/change-settings.ts'
import { settingsRoutes } from './settings/routes.ts'
import { getSettings, settingsEvents } from './settings/settings.ts'
import { userRoutes } from './users/routes.ts'
import {
  identify,
  preparePasswords,
  refreshSessions,
  sessionCookie,
  trimRateLimitsJob,
  userEvents,
} from './users/users.ts'

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
  const upgrading = { config, database, log, cipher: cipherOf(config.backupKey) }
  await migrateDatabase(database, {
    beforeUpgrade: copyBeforeUpgrade({ ...upgrading, stopRequested: options.stopRequested }),
  })
  const { epoch } = await openInstallation(database, config.isDemo)
  await ensureKnownCategories(database)
  const secrets = openSecrets(config.secretKey, config.dataDir)
  const outgoing = createOutgoingHttp(config.gatewayAllowedHosts)
  const gateway = createGateway(outgoing, secrets, {
    times: options.gatewayTimes,
    onAway: () => database.signals.send('connections'),
  })
  const servers = createAssistantServers(outgoing, config.agentUrl, options.assistantServerTimes)
  const files = await createFileStore(config, { database })
  const endAnswers = answerStations(database, config)
  const messageFiles = createMessageFiles({ database, gateway, files })
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
    async refresh({ sessionId, source }, db = database) {
      const person = (await refreshSessions(db, [sessionId])).get(sessionId)
      return person && { ...person, source }
    },
  })
  const { app } = http
  const metrics: Metrics = createMetrics(app, database, {
    here: () => ({
      balcao_sockets: { help: 'Open sockets of this process', value: live.socketCount() },
      balcao_socket_frames_refused_total: {
        help: 'Frames that no browser of ours sends, since the start',
        value: live.refusedFrames(),
      },
      balcao_sweep_found_total: {
        help: 'Messages, ticks and changes that only the gateway record brought, since the start',
        value: Object.values(sweep?.found() ?? {}).reduce((sum, count) => sum + count, 0),
      },
      ...workerFigures([...workers.health(), ...fetching.health(), ...(background?.health() ?? [])]),
      balcao_event_lag_seconds: { help: 'Since the event log was last read', value: live.lagMs() / 1000 },
    }),
    stored: async () => ({ ...(await deliveryFigures(database)), ...(await auditFigures(database)) }),
  })
  const context = { database, config, secrets, log }
  auditRoutes(http, { database, timezone: async () => (await getSettings(database)).timezone })
  userRoutes(http, { ...context, livePosition: () => live.position(), freeConversations })
  settingsRoutes(http, { ...context, onChange: ownNamedFiles })
  assistantRoutes(http, { database, secrets, servers, changeSettings: changeSettingsIn })
  companyRoutes(http, context)
  const importing = { database, files, secrets, onChanged: notifyContactsChanged }
  contactRoutes(http, { ...importing, queue: () => background })
  const writer = createInboxWriter(database)
  const typing = createTyping({
    database,
    gateway,
    log,
    emitTyping: (conversationId, activity) => live.setClientTyping(conversationId, activity),
  })
  gatewayRoutes(http, { ...context, client: gateway.client, inbox: writer, onTyping: typing.receive })
  const sendReceipt = createSendReceipt({ database, gateway, log })
  conversationsRoutes(http, { database, gateway, files, messageFiles, sendReceipt, secrets, servers, log })
  profilePictureRoutes(http, { database, files })
  noticeRoutes(http, context)
  reportRoutes(http, context)
  privacyRoutes(http, { ...context, files })
  const maintaining = {
    database,
    files,
    secrets,
    log,
    store: createBackupStore(config),
    cipher: cipherOf(config.backupKey),
    databaseDisk: databaseDiskOf(config),
    queue: () => background,
  }
  maintenanceRoutes(http, maintaining)
  doctorRoutes(http, { ...context, client: gateway.client, files, measure: options.measureDisk })
  http.serves(...liveRows)
  http.checkPermissionTable()

  const inbox = startInboxWorker(database, log, forgetErased(eventHandlers, secrets))
  if (options.isAlone) {
    await endLeases(database)
    await restartFetches(database)
  }
  await failStale(database, options.isAlone ?? false)
  const parts = { database, gateway: measureSends(gateway, metrics), files, log }
  const outbox = startOutboxWorker(parts, options.outboxTimes)
  const fetches = startFetchWorker(database, messageFiles, log, options.fetchWaitsMs)
  const avatars =
    options.avatarTimes === 'never'
      ? undefined
      : startAvatarWorker({ database, gateway, files, log }, options.avatarTimes)
  const assistant = startAssistantWorker({ database, secrets, servers, files, log }, options.assistantTimes)
  const watch = startGatewayWatch(database, gateway, secrets, log)
  const sweep =
    options.sweepEveryMs === 'never'
      ? undefined
      : startSweep({
          database,
          client: gateway.client,
          secrets,
          inbox: writer,
          log,
          ...(options.sweepEveryMs && { everyMs: options.sweepEveryMs }),
        })
  const silence = startSilenceWatch({ database, client: gateway.client, secrets, log })
  const news = startGatewayNews(database, log)
  const renderEvents = createRenderEvents({
    ...conversationEvents,
    ...settingsEvents,
    ...userEvents,
    ...gatewayEvents,
    ...noticeEvents,
  })
  const jobs = startPeriodicTasks(database, log, [
    ...automationJobs(database, options.jobTimes),
    maintenanceTask(maintaining, options.planMs),
  ])
  const receipts = startReceiptWorker({ database, gateway, log })
  const notices =
    options.notices === 'never'
      ? []
      : [startNoticeWatch({ database, config, log: options.log }, options.notices)]
  const derived = [startAuditSealer, startSearchIndex, startFacts].map((start) => start(database, log))
  const workers = combineWorkers([
    inbox,
    outbox,
    receipts,
    assistant,
    watch,
    ...(sweep ? [sweep] : []),
    silence,
    news,
    jobs,
    ...derived,
    ...notices,
  ])
  const fetching = combineWorkers(avatars ? [fetches, avatars] : [fetches])
  const background =
    options.backgroundJobs === 'never'
      ? undefined
      : startJobQueue({ database, log }, [
          trimEventsJob(database),
          trimRateLimitsJob(database),
          trimInboxJob(database),
          sweepFilesJob(database, files),
          trimNoticesJob(database),
          trimMergesJob(database),
          trimBackupsJob(database),
          trimUpgradeCopiesJob(database, config),
          checkAuditJob(database, log),
          ...contactJobs(importing),
          ...conversationJobs(database),
          maintenanceJob(maintaining),
        ])
  const live = await startLive({
    server: app.server,
    database,
    config,
    log,
    epoch,
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
      greeting: async () => {
        const [news, now] = await Promise.all([readGatewayNews(database), appNow(database)])
        return { ...news, serverTime: now.toISOString() }
      },
      async stats(who) {
        if (!isPermitted(who, 'WS recv stats_update')) return undefined
        const stats = await statsFor(database, who)
        return Object.keys(stats).length > 0 ? { type: 'stats_update', data: { stats } } : undefined
      },
      mayView: (who, conversationId) => mayView(database, who, conversationId),
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
    const working = Promise.all([workers.stop(), background?.stop()])
    const fetched = fetching.stop()
    endAnswers()
    await live.stop()
    await closeHttp(app)
    await working
    // Wake the other instances for what was waiting behind the last work of this one.
    for (const channel of ['inbox', 'outbox'] as const) database.signals.send(channel)
    // A running file download is abandoned and repeated by another instance; a send is waited for.
    await outgoing.close()
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
