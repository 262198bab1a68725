import type { AppOptions } from './app-options.ts'
import type { AppParts } from './app-parts.ts'
import { threadGiven } from './app-thread-given.ts'
import { checkAuditJob, startAuditSealer } from './audit/audit.ts'
import { contactJobs, trimMergesJob } from './contacts/contacts.ts'
import {
  automationJobs,
  conversationJobs,
  endLeases,
  eventHandlers,
  readAgain,
  notifyContactsChanged,
  startAssistantWorker,
  startAvatarWorker,
  startFetchWorker,
  startOutboxWorker,
  startReceiptWorker,
  restartTranscriptions,
  startSearchIndex,
  startTranscriptionWorker,
} from './conversations/conversations.ts'
import {
  startGatewayNews,
  startGatewayWatch,
  startInboxWorker,
  startSilenceWatch,
  startSweep,
  trimInboxJob,
} from './gateway/gateway.ts'
import { measureSends } from './gateway/measure-sends.ts'
import {
  failStale,
  ignoreAnonymized,
  maintenanceTask,
  trimBackupsJob,
  trimUpgradeCopiesJob,
} from './maintenance/maintenance.ts'
import { restartFetches, sweepFilesJob } from './media/media.ts'
import { startNoticeWatch, trimNoticesJob } from './notices/notices.ts'
import { trimNotificationsJob } from './notifications/notifications.ts'
import { trimEventsJob } from '#server/platform/database/events.ts'
import { startJobQueue } from './platform/jobs/job-queue.ts'
import { createJobThreads } from './platform/jobs/job-threads.ts'
import type { Metrics } from './platform/metrics.ts'
import { startClockCorrection } from './platform/work/correct-clock.ts'
import { startPeriodicTasks } from './platform/work/periodic.ts'
import { combineWorkers, type WorkerHealth } from './platform/work/worker.ts'
import { startFacts } from './reports/reports.ts'
import { trimRateLimitsJob } from './users/users.ts'
import { startSlaClocks } from './sla/sla.ts'
import { startWorkRecorder } from './workday/workday.ts'

/** Starts what goes on without being asked for: deliveries, watches, periodic tasks, long jobs. */
export async function startWork(options: AppOptions, parts: AppParts, metrics: Metrics) {
  const { config, database, log } = options
  const { files, gateway, inbox, maintenance, messageFiles, secrets, servers } = parts
  const { client } = gateway
  // The way of a stored event: the inbox, people who were anonymized left out, the conversations.
  const receiving = startInboxWorker(database, log, ignoreAnonymized(eventHandlers, secrets))
  if (options.isAlone) {
    await endLeases(database)
    await restartFetches(database)
    await restartTranscriptions(database)
  }
  await failStale(database, options.isAlone ?? false)
  const sending = { database, gateway: measureSends(gateway, metrics), files, log }
  const sweep =
    options.sweepEveryMs === 'never'
      ? undefined
      : startSweep({
          database,
          client,
          secrets,
          inbox,
          log,
          ...(options.sweepEveryMs && { everyMs: options.sweepEveryMs }),
        })
  const workers = combineWorkers([
    receiving,
    startOutboxWorker(sending, options.outboxTimes),
    startReceiptWorker({ database, gateway, log }),
    startAssistantWorker({ database, secrets, servers, files, log }, options.assistantTimes),
    startTranscriptionWorker({ database, secrets, servers, files, log }, options.transcriptionTimes),
    startGatewayWatch(database, gateway, secrets, log),
    ...(sweep ? [sweep] : []),
    startSilenceWatch({ database, client, secrets, log }),
    startGatewayNews(database, log),
    startPeriodicTasks(database, log, [
      ...automationJobs(database, options.jobTimes),
      maintenanceTask({ database, queue: () => queue, job: maintenance }, options.planMs),
    ]),
    ...[startAuditSealer, startSearchIndex, startFacts, startWorkRecorder].map((start) =>
      start(database, log),
    ),
    ...(options.slaClocks === 'never' ? [] : [startSlaClocks(database, log)]),
    ...(options.clockCorrectionMs === 'never'
      ? []
      : [startClockCorrection(database, log, readAgain, options.clockCorrectionMs)]),
    ...(options.notices === 'never' ? [] : [startNoticeWatch({ database, config, log }, options.notices)]),
  ])
  const fetching = combineWorkers([
    startFetchWorker(database, messageFiles, log, options.fetchWaitsMs),
    ...(options.avatarTimes === 'never'
      ? []
      : [startAvatarWorker({ database, gateway, files, log }, options.avatarTimes)]),
  ])
  const threads =
    options.jobThreads &&
    createJobThreads(
      new URL('app-thread.ts', import.meta.url),
      threadGiven(options),
      options.jobThreads.mostHeapMiB,
    )
  const queue =
    options.backgroundJobs === 'never'
      ? undefined
      : startJobQueue({ database, log, threads }, [
          trimEventsJob(database),
          trimRateLimitsJob(database),
          trimInboxJob(database),
          sweepFilesJob(database, files),
          trimNoticesJob(database),
          trimNotificationsJob(database),
          trimMergesJob(database),
          trimBackupsJob(database),
          trimUpgradeCopiesJob(database, config),
          checkAuditJob(database, log),
          ...contactJobs({ database, files, secrets, onChanged: notifyContactsChanged }),
          ...conversationJobs(database),
          maintenance,
        ])
  return {
    queue,
    /** Messages, ticks and changes that only the gateway's record brought, since the start. */
    recovered: () => Object.values(sweep?.found() ?? {}).reduce((sum, count) => sum + count, 0),
    health: (): WorkerHealth[] => [...workers.health(), ...fetching.health(), ...(queue?.health() ?? [])],
    /** Claims no more work, and waits for that in progress. */
    stop: () => Promise.all([workers.stop(), queue?.stop()]),
    /** Ends once the connections to the gateway are closed: a fetch in progress is left to others. */
    stopFetching: () => fetching.stop(),
  }
}
