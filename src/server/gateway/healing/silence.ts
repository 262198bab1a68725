import { sql } from 'drizzle-orm'
import { openMsBetween } from '#shared/settings/working-hours.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createPerNumber, endingWith } from '#server/platform/work/per-number.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import {
  type ConfigRow,
  findConfig,
  listActiveConfigs,
  updateConfig,
} from '#server/gateway/instances/queries.ts'
import { instanceOf } from '#server/gateway/instances/setup.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'

const minuteMs = 60_000
/** How long a look waits for the slowest number. */
const patienceMs = 10_000
const dayMs = 24 * 60 * minuteMs

/** Silence within these limits, in hours of work, is judged by what is usual. */
const shortestMs = 15 * minuteMs
const longestMs = 4 * 60 * minuteMs
/** In the time in which so many events usually come, hardly ever none comes. */
const usualEvents = 20
/** How much of the past says what is usual. */
const usualMs = 7 * dayMs
/** A restart that did not help is not repeated at once. */
const restartEvery = sql`interval '1 hour'`

/**
 * How long a number may be silent before its connection is suspect, in milliseconds of hours of work.
 * @param events how many came in the last week
 * @param openMs the hours of work of that week
 */
export function silenceLimit({ events, openMs }: { events: number; openMs: number }): number {
  if (events === 0) return Infinity
  return Math.min(longestMs, Math.max(shortestMs, (openMs / events) * usualEvents))
}

/** What shows whether a number is silent. */
interface Heard extends Record<string, unknown> {
  now: string
  /** The last sign of life: an event, a new connection, or our own restart or trouble. */
  lastAt: string
  /** The events of the last week. */
  events: number
}

async function readHeard(database: Database, config: ConfigRow, sinceMs: number): Promise<Heard> {
  const [heard] = await rows<Heard>(
    database,
    sql`with g as (select * from evolution_api_config where id = ${config.id})
        select app_now()::text as now,
               (select greatest(g.last_connected_at, g.restarted_at, g.troubled_at, g.created_at,
                                app_now() - ${sinceMs}::float8 * interval '1 millisecond',
                                (select max(i.received_at) from webhook_inbox i
                                  where i.instance_id = g.id
                                    and i.received_at > app_now() - interval '1 day')) from g)::text
                 as "lastAt",
               (select count(*)::int from webhook_inbox i
                 where i.instance_id = ${config.id}
                   and i.received_at > app_now() - ${usualMs}::float8 * interval '1 millisecond') as events`,
  )
  if (!heard) throw new Error('the query of the silence returned no row')
  return heard
}

/** @returns since when the number has been silent for too long; undefined if it has not */
function silentSince(settings: SystemSettings, heard: Heard): Date | undefined {
  const [now, lastAt] = [new Date(heard.now), new Date(heard.lastAt)]
  if (now.getTime() - lastAt.getTime() < shortestMs) return undefined
  const openMs = openMsBetween(settings, new Date(now.getTime() - usualMs), now)
  const limitMs = silenceLimit({ events: heard.events, openMs })
  return openMsBetween(settings, lastAt, now) >= limitMs ? lastAt : undefined
}

export interface SilenceParts {
  database: Database
  client: Pick<EvolutionClient, 'connectionState' | 'restart'>
  secrets: Secrets
  log: Log
  everyMs?: number
}

/**
 * Restarts the connection of a number that says that it is open and has reported nothing in hours of work for
 * longer than is usual for it: sockets to WhatsApp stay open now and then and get nothing more. What came in
 * between is recovered by the sweep when the number is connected again; administrators are notified.
 * @see gateway/evolution.md §8.5
 */
export function startSilenceWatch(parts: SilenceParts): Worker {
  const { database, log, everyMs = minuteMs } = parts
  const startedAt = performance.now()
  const perNumber = createPerNumber(
    async (id) => {
      const config = await findConfig(database, id)
      if (config?.status !== 'open') return
      const settings = await settingsOfNumber(database, id)
      await checkSilence(parts, config, settings, performance.now() - startedAt)
    },
    (err, id) => log.warn({ err, instanceId: id }, 'silence not looked at'),
  )
  const worker = createWorker({
    name: 'silence',
    database,
    log,
    pollMs: everyMs,
    failureLevel: 'warn',
    async work() {
      const ids = (await listActiveConfigs(database)).map(({ id }) => id)
      await perNumber.some(ids, patienceMs)
      return 'idle'
    },
  })
  return endingWith(worker, perNumber)
}

/**
 * Restarts the connection of the number if it is suspect.
 * @param listeningMs since when this process could have heard something
 */
export async function checkSilence(
  { database, client, secrets, log }: SilenceParts,
  config: ConfigRow,
  settings: SystemSettings,
  listeningMs: number,
): Promise<void> {
  const since = silentSince(settings, await readHeard(database, config, listeningMs))
  if (!since) return
  const instance = instanceOf(config, secrets)
  // One that knows that it is away is watched already.
  if ((await client.connectionState(instance)) !== 'open') return database.signals.send('connections')
  const claimed = await rows(
    database,
    sql`update evolution_api_config
           set silent_since = ${since.toISOString()}, restarted_at = app_now(), is_restart_failed = false
         where id = ${config.id} and is_active
           and (restarted_at is null or restarted_at < app_now() - ${restartEvery})
        returning id`,
  )
  if (claimed.length === 0) return
  log.warn({ instance: config.instanceName, silentSince: since }, 'a silent connection is restarted')
  let isDone = false
  try {
    isDone = await client.restart(instance)
  } finally {
    if (!isDone) await updateConfig(database, config.id, { isRestartFailed: true })
    database.signals.send('connections')
  }
}

/** A connection that was restarted because it was silent. */
interface SilentNumber extends Record<string, unknown> {
  id: number
  instanceName: string
  silentSince: Date
  restartedAt: Date
  isRestartFailed: boolean
}

/** For how long a restart is reported. */
const shownFor = sql`interval '1 hour'`

/** The numbers whose connection was restarted within the last hour because they were silent. */
export async function findSilent(db: Db): Promise<SilentNumber[]> {
  const found = await rows<SilentNumber & Record<'silentSince' | 'restartedAt', string>>(
    db,
    sql`select id, instance_name as "instanceName", silent_since::text as "silentSince",
               restarted_at::text as "restartedAt", is_restart_failed as "isRestartFailed"
          from evolution_api_config
         where is_active and silent_since is not null and restarted_at > app_now() - ${shownFor} order by id`,
  )
  return found.map((one) => ({
    ...one,
    silentSince: new Date(one.silentSince),
    restartedAt: new Date(one.restartedAt),
  }))
}
